/** One request after the other: credentials, time limits, retries, cached answers, errors. */

import { type CachedAnswers, cacheAnswers } from './cached-answers.ts'
import { type ErrorFacts, SojournError } from './error.ts'
import { retryAfterSeconds, sleep } from './waiting.ts'

/** A key, or a function that is asked for it before each request, so that a key can be rotated. */
export type Key = string | (() => string | Promise<string>)

export interface ConnectionOptions {
  /** Where the service is, with or without `/v1`. */
  readonly url: string | URL
  /** The key in its single-string form, `sjn_key_…`. */
  readonly key: Key
  /** The language of texts for people, such as `ro`; the center's own unless given. */
  readonly locale?: string
  /** How often a request that gets 429 or 503 is sent in all; 5 unless given. */
  readonly attempts?: number
  /** A longer wait than this is an error at once; 60,000 unless given. */
  readonly longestWaitMs?: number
  /** For one complete answer; 60,000 unless given. */
  readonly timeoutMs?: number
  /** Characters of answers retained for a 304, all together; 5,000,000 unless given. 0 keeps none. */
  readonly keptCharacters?: number
  /** In place of the runtime's own. */
  readonly fetch?: typeof fetch
  /** In place of the runtime's timer and `Math.random`, for tests. */
  readonly sleep?: (ms: number, signal?: AbortSignal) => Promise<void>
  readonly random?: () => number
}

export interface CallOptions {
  /** Its abort ends the call with the signal's reason. */
  readonly signal?: AbortSignal | undefined
}

export type Query = Readonly<Record<string, unknown>>

/** A parameter that takes several values takes one by itself too. */
export type OneOrSeveral<Value> = Value extends readonly (infer One)[] ? One | readonly One[] : Value

export interface Answer<Body> {
  /** A new object each time, also where the service answered 304. */
  readonly body: Body
  readonly headers: Headers
}

export interface GetOptions extends CallOptions {
  /** How much longer than others the answer may take. */
  readonly extraMs?: number
}

export interface Connection {
  readonly locale: string | undefined
  /**
   * @typeParam Body what the service answers, as its OpenAPI document says
   * @throws {SojournError} any other answer than 200 or 304; what the signal says, where it was aborted
   */
  get<Body>(path: string, query?: Query, options?: GetOptions): Promise<Answer<Body>>
  /** The same of an answer that is text of another type than JSON. */
  text(path: string, query: Query, accept: string, options?: GetOptions): Promise<string>
  /**
   * An answer whose body is read as it comes, for as long as it comes; asked for once.
   * @throws {SojournError} any other answer than 200
   */
  open(path: string, query: Query, accept: string, signal: AbortSignal): Promise<Response>
  /**
   * Performs an action. A 429 or 503 is retried with the same key, so the action is performed once.
   * @throws {SojournError} any other answer than 200
   */
  post<Body>(path: string, body: unknown, idempotencyKey: string, options?: CallOptions): Promise<Body>
  sleep(ms: number, signal?: AbortSignal): Promise<void>
}

export function connect(options: ConnectionOptions): Connection {
  const base = `${String(options.url).replace(/(?:\/v1)?\/*$/, '')}/v1`
  const cached = cacheAnswers(options.keptCharacters ?? 5_000_000)
  const { attempts = 5, longestWaitMs = 60_000, timeoutMs = 60_000, random = Math.random } = options
  const wait = options.sleep ?? sleep
  const readKey = async () => (typeof options.key === 'string' ? options.key : options.key())

  const get = <Body>(
    path: string,
    query: Query,
    form: Form<Body>,
    { signal, extraMs = 0 }: GetOptions,
  ): Promise<Answer<Body>> => {
    const address = `${base}${path}${queryText(query)}`
    return again((key) => ask(address, key, form, options, cached, timeoutMs + extraMs, signal), signal)
  }

  /** Sends until there is an answer that no later attempt would improve. */
  async function again<Body>(
    send: (key: string) => Promise<Answer<Body> | SojournError>,
    signal: AbortSignal | undefined,
  ): Promise<Answer<Body>> {
    for (let attempt = 1; ; attempt += 1) {
      signal?.throwIfAborted()
      const key = await readKey()
      let answer = await send(key)
      if (answer instanceof SojournError && answer.status === 401) {
        // The key may have been rotated since it was read; the same one is not tried again.
        const next = await readKey()
        if (next !== key) answer = await send(next)
      }
      if (!(answer instanceof SojournError)) return answer
      const { status, retryAfterSeconds = Math.min(2 ** (attempt - 1), 30) } = answer
      // A tenth more at most, so that many clients that were refused at once do not come back at once.
      const waitMs = retryAfterSeconds * 1000 + random() * Math.max(1000, retryAfterSeconds * 100)
      if ((status !== 429 && status !== 503) || attempt >= attempts || waitMs > longestWaitMs) throw answer
      await wait(waitMs, signal)
    }
  }

  return {
    locale: options.locale,
    sleep: wait,
    async open(path, query, accept, signal) {
      const send = async (key: string) => {
        const headers: Record<string, string> = { accept, authorization: `Bearer ${key}` }
        if (options.locale !== undefined) headers['x-locale'] = options.locale
        const address = `${base}${path}${queryText(query)}`
        return (options.fetch ?? fetch)(address, { headers, signal, redirect: 'manual' })
      }
      try {
        const key = await readKey()
        let response = await send(key)
        if (response.status === 401) {
          const next = await readKey()
          if (next !== key) response = await send(next)
        }
        if (response.status === 200) return response
        throw errorOf(response, await response.text())
      } catch (error) {
        if (error instanceof SojournError) throw error
        throw connectionError(error)
      }
    },
    get: <Body>(path: string, query: Query = {}, options: GetOptions = {}) =>
      get(path, query, { accept: 'application/json', read: parse<Body> }, options),
    async post<Body>(path: string, body: unknown, idempotencyKey: string, { signal }: CallOptions = {}) {
      const sent: SentBody = { text: JSON.stringify(body), idempotencyKey }
      const form = { accept: 'application/json', read: parse<Body> }
      const send = (key: string) =>
        ask(`${base}${path}`, key, form, options, NONE_CACHED, timeoutMs, signal, sent)
      return (await again(send, signal)).body
    },
    async text(path, query, accept, options = {}) {
      return (await get(path, query, { accept, read: String }, options)).body
    },
  }
}

/** What an answer is asked for as, and how its text is read. */
interface Form<Body> {
  readonly accept: string
  read(text: string): Body
}

/** The body of an action. */
interface SentBody {
  readonly text: string
  readonly idempotencyKey: string
}

/** Answers to actions are not retained. */
const NONE_CACHED = cacheAnswers(0)

function queryText(query: Query): string {
  const parameters = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined) parameters.set(name, Array.isArray(value) ? value.join(',') : String(value))
  }
  const text = parameters.toString()
  return text === '' ? '' : `?${text}`
}

/** One attempt. @returns the error of an answer that is none of ours to throw yet */
async function ask<Body>(
  address: string,
  key: string,
  { accept, read }: Form<Body>,
  options: ConnectionOptions,
  answers: CachedAnswers,
  timeoutMs: number,
  signal: AbortSignal | undefined,
  sent?: SentBody,
): Promise<Answer<Body> | SojournError> {
  const known = answers.get(address)
  const headers: Record<string, string> = { accept, authorization: `Bearer ${key}` }
  if (options.locale !== undefined) headers['x-locale'] = options.locale
  if (known !== undefined) headers['if-none-match'] = known.etag
  if (sent !== undefined) {
    headers['content-type'] = 'application/json'
    headers['idempotency-key'] = sent.idempotencyKey
  }
  // AbortSignal.any is younger than Node 20.0.
  const ends = new AbortController()
  const abort = () => ends.abort()
  signal?.addEventListener('abort', abort, { once: true })
  const timer = setTimeout(abort, timeoutMs)
  try {
    const response = await (options.fetch ?? fetch)(address, {
      ...(sent === undefined ? {} : { method: 'POST', body: sent.text }),
      headers,
      signal: ends.signal,
      // The key goes nowhere else.
      redirect: 'manual',
    })
    const { status, headers: answered } = response
    if (status === 304 && known !== undefined) {
      return { body: read(known.text), headers: known.headers }
    }
    const text = await response.text()
    if (status !== 200) return errorOf(response, text)
    const body = read(text)
    const etag = answered.get('etag')
    if (etag !== null) answers.set(address, { etag, text, headers: answered })
    return { body, headers: answered }
  } catch (error) {
    if (error instanceof SojournError) return error
    signal?.throwIfAborted()
    if (ends.signal.aborted) {
      throw new SojournError('TIMEOUT', `No complete answer within ${timeoutMs} ms.`, { cause: error })
    }
    throw connectionError(error)
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener('abort', abort)
  }
}

const connectionError = (cause: unknown) =>
  new SojournError('CONNECTION', `The connection failed: ${reasonOf(cause)}.`, { cause })

/** What `fetch` says itself is only that it failed. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const { cause } = error
  return cause instanceof Error && cause.message !== '' ? cause.message : error.message
}

/** The one place that trusts the service to answer what its OpenAPI document says. */
function parse<Body>(text: string): Body {
  try {
    const body: Body = JSON.parse(text)
    return body
  } catch (cause) {
    throw new SojournError('BAD_ANSWER', 'The answer is not JSON, or was cut off.', { status: 200, cause })
  }
}

/** Of an error's body. @throws where it is none */
export function reportedError(text: string, facts: ErrorFacts): SojournError {
  const { error } = JSON.parse(text)
  const { code, message, details, docs, requestId } = error
  return new SojournError(code, message, { requestId, ...facts, details, docs })
}

/** The error of an answer that is none of those asked for. */
export function errorOf(response: Response, text: string): SojournError {
  const { status, headers } = response
  const facts = {
    status,
    ...(headers.has('x-request-id') ? { requestId: headers.get('x-request-id') ?? undefined } : {}),
    cursor: headers.get('snapshot-cursor') ?? undefined,
    retryAfterSeconds: retryAfterSeconds(headers.get('retry-after')),
  }
  try {
    return reportedError(text, facts)
  } catch {
    const redirect = status === 0 || (status >= 300 && status < 400)
    return new SojournError(
      'BAD_ANSWER',
      redirect
        ? 'The address redirects elsewhere. Set `url` to where it leads: a key is not sent to another address.'
        : `The answer ${status} does not come from Sojourn. Is something in between, or \`url\` wrong?`,
      facts,
    )
  }
}
