/** `fetch` for the client of the service, which answers from memory where that is enough, and keeps what it gets. */
import type { Answers, CachedAnswer } from './answers.ts'
import type { Clock } from './clock.ts'
import { kindsOf, type Moved } from './outdated-answers.ts'
import { KnownProblem, type Problem } from './problem.ts'

/** A request that several pages wait for is not ended with one of them. */
const TIMEOUT_MS = 60_000

/** As if all meals had changed. */
const SHEETS: Moved = { kind: 'meals', operation: 'readAgain', days: [] }

/** An answer that was used, by its address and the time at which it was asked for. */
export interface Used {
  readonly address: string
  readonly askedAt: number
  /** whether it is of the copy on this device */
  readonly isCopied?: boolean
}

export interface CachedFetchOptions {
  readonly answers: Answers
  readonly clock: Clock
  readonly send: typeof fetch
  /** whether an answer in memory is right now */
  isCurrent(used: Used): boolean
  /** what requests for data wait for: with the changes followed, they need not be sent twice */
  ready(): Promise<void> | undefined
  /** what is known to be in the way of any request */
  blocked(): Problem | undefined
  /** what the copy on this device has in place of an answer that is not in memory */
  copied(url: URL): { readonly text: string; readonly asOf: number } | undefined
  /** Sees each answer of the service as it comes. */
  answered(response: Response): void
}

export interface CachedFetch {
  /**
   * @param used gets the answers that were used
   * @param since answers that were asked for before are asked for again, epoch milliseconds; undefined: nothing is asked for
   */
  through(used: Used[], since: number | undefined): typeof fetch
  /** Nothing is asked for any more. */
  close(): void
}

export function createCachedFetch(options: CachedFetchOptions): CachedFetch {
  const { answers, clock, send, isCurrent, ready, blocked, copied, answered } = options
  /** requests on their way, so that two pages do not ask for the same */
  const underway = new Map<string, Promise<Response>>()
  let isClosed = false

  /** What is in memory, or else in the copy on this device. */
  function known(address: string): CachedAnswer | undefined {
    const inMemory = answers.get(address)
    if (inMemory !== undefined) return inMemory
    const found = copied(new URL(address))
    if (found === undefined) return undefined
    const headers = new Headers({ 'content-type': 'application/json; charset=utf-8' })
    answers.addCopied(address, { text: found.text, headers, askedAt: found.asOf })
    return answers.get(address)
  }

  async function ask(address: string, init: RequestInit): Promise<Response> {
    const before = answers.get(address)
    const headers = new Headers(init.headers)
    const etag = before?.headers.get('etag')
    if (etag != null) headers.set('if-none-match', etag)
    const ends = new AbortController()
    const stop = clock.after(TIMEOUT_MS, () => ends.abort())
    const asking = answers.begin(address, clock.now())
    let got: { readonly text: string; readonly headers: Headers } | undefined
    try {
      const response = await send(address, { ...init, headers, cache: 'no-store', signal: ends.signal })
      answered(response)
      if (response.status === 304 && before !== undefined) got = before
      else if (response.status === 200) got = { text: await response.text(), headers: response.headers }
      return got === undefined ? response : answerOf(got)
    } finally {
      stop()
      answers.end(address, asking, got && { text: got.text, headers: got.headers })
    }
  }

  function shared(address: string, init: RequestInit): Promise<Response> {
    const running = underway.get(address)
    if (running !== undefined) return running
    const begun = ask(address, init).finally(() => {
      if (underway.get(address) === begun) underway.delete(address)
    })
    underway.set(address, begun)
    return begun
  }

  return {
    through:
      (used, since) =>
      async (input, init = {}) => {
        const address = String(input)
        if (isClosed) throw new Error('signed out')
        if (!isCacheable(new URL(address), init)) {
          if (since === undefined) throw new Error('not in memory')
          const response = await send(input, { ...init, cache: 'no-store' })
          answered(response)
          // A sheet was stored, or chosen: those that were read are not the newest.
          if (/\/v1\/(?:meals\/sheets|actions)\//.test(address)) answers.touch([SHEETS])
          return response
        }
        if (since !== undefined && (kindsOf(new URL(address))?.length ?? 0) > 0) await ready()
        const before = known(address)
        const isEnough =
          since === undefined ||
          (before !== undefined && before.askedAt >= since && isCurrent({ address, askedAt: before.askedAt }))
        if (!isEnough) {
          const problem = blocked()
          if (problem !== undefined && since === 0) throw new KnownProblem(problem)
          const response = await orAborted(shared(address, init), init.signal)
          if (response.status !== 200) return response.clone()
        }
        const answer = answers.get(address)
        if (answer === undefined) throw new Error('not in memory')
        used.push({ address, askedAt: answer.askedAt, isCopied: answer.isCopied === true })
        return answerOf(answer)
      },
    close() {
      isClosed = true
      underway.clear()
    },
  }
}

/**
 * Lists and records. Not files and streams, whose length is not known, not what stores a sheet, and not searches.
 */
function isCacheable({ pathname, searchParams }: URL, { method = 'GET', headers }: RequestInit): boolean {
  if (method !== 'GET' || new Headers(headers).get('accept') !== 'application/json') return false
  if (pathname.includes('/v1/changes') || pathname.includes('/v1/search')) return false
  return !pathname.includes('/v1/meals/sheets/') || searchParams.has('sheet')
}

const answerOf = ({ text, headers }: { readonly text: string; readonly headers: Headers }) =>
  new Response(text, { status: 200, headers })

function orAborted<T>(running: Promise<T>, signal: AbortSignal | null | undefined): Promise<T> {
  if (signal == null) return running
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason)
    if (signal.aborted) abort()
    signal.addEventListener('abort', abort, { once: true })
    running.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort))
  })
}
