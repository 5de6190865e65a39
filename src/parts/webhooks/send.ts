/**
 * One attempt to deliver a message: one POST without redirects, with limits on time and on the bytes read of the
 * answer.
 */
import { type ClientRequest, type IncomingHttpHeaders, request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import type { LookupFunction } from 'node:net'
import packageFile from '../../../package.json' with { type: 'json' }
import { createLookup } from './lookup.ts'
import { type AllowsAddress, literalAddress } from './target.ts'

/**
 * `delivered`: any status from 200 to 299. `gone`: 410. `redirected`: any from 300 to 399; redirects are not followed.
 * `refused`: any other status. `timeout`: no complete answer in time. `unreachable`: no connection, or it broke.
 * `forbidden`: the name resolved to an address that is not allowed.
 */
export type Outcome =
  | 'delivered'
  | 'gone'
  | 'redirected'
  | 'refused'
  | 'timeout'
  | 'unreachable'
  | 'forbidden'

export interface Attempt {
  readonly outcome: Outcome
  /** status of the answer; undefined if there was none */
  readonly status: number | undefined
  /** the wait that the receiver requests (`Retry-After`) */
  readonly retryAfterMs?: number | undefined
}

export interface Message {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** Sends a message once. Never rejects. */
export type Send = (message: Message, signal?: AbortSignal) => Promise<Attempt>

export interface SendOptions {
  readonly allows: AllowsAddress
  /** resolves names; by default as `createLookup` */
  readonly lookup?: LookupFunction
  /** calls back after a time unless cancelled; by default with the system's timer */
  readonly after?: (ms: number, act: () => void) => () => void
  /** epoch ms, to interpret a date in `Retry-After` */
  readonly now?: () => number
}

/** In ms; the specification recommends 15 to 30 seconds. */
const TIMEOUT_MS = 15_000
/** The body of the answer is not used. The connection of a receiver that sends more is closed. */
const ANSWER_BYTES_MAX = 16_384
/** Answers that only announce another (status 100 to 199), of which Node takes any number; nobody needs one here. */
const ANNOUNCED_MAX = 10

class ForbiddenAddress extends Error {}

const systemAfter = (ms: number, act: () => void) => {
  const timer = setTimeout(act, ms)
  return () => clearTimeout(timer)
}

/** Creates the function that sends messages. */
export function createSend({
  allows,
  lookup = createLookup(),
  after = systemAfter,
  now = Date.now,
}: SendOptions): Send {
  return ({ url: text, headers, body }, signal) =>
    new Promise((resolve) => {
      const url = new URL(text)
      const scheme = url.protocol === 'http:' ? 'http:' : 'https:'
      const permits = (address: string) => allows(address, scheme)
      // An address in the URL itself is not looked up.
      const literal = literalAddress(url)
      if (literal !== undefined && !permits(literal)) {
        resolve({ outcome: 'forbidden', status: undefined })
        return
      }
      let status: number | undefined
      let retryAfterMs: number | undefined
      let isLate = false
      const start = scheme === 'http:' ? requestHttp : requestHttps
      const request = start(url, {
        method: 'POST',
        // Each attempt has its own connection, so that its address is checked.
        agent: false,
        lookup: permitted(lookup, permits),
        headers: {
          'content-type': 'application/json',
          'content-length': Buffer.byteLength(body),
          'user-agent': `Sojourn/${packageFile.version}`,
          ...headers,
        },
      })
      const cancel = after(TIMEOUT_MS, () => {
        isLate = true
        request.destroy()
      })
      const abort = () => request.destroy()
      if (signal?.aborted) abort()
      signal?.addEventListener('abort', abort)
      const end = (error?: Error) => {
        cancel()
        signal?.removeEventListener('abort', abort)
        request.destroy()
        const asked = retryAfterMs === undefined ? {} : { retryAfterMs }
        resolve({ outcome: outcomeOf(status, isLate, error), status, ...asked })
      }
      request.once('error', end)
      request.once('close', () => end())
      refuseOthers(request, permits)
      let announced = 0
      request.on('information', () => {
        announced += 1
        if (announced > ANNOUNCED_MAX) end()
      })
      request.once('response', (response) => {
        status = response.statusCode
        retryAfterMs = readRetryAfter(response.headers, now())
        let bytes = 0
        response.on('data', (chunk: Buffer) => {
          bytes += chunk.length
          if (bytes > ANSWER_BYTES_MAX) end()
        })
        response.once('end', () => end())
        response.once('error', () => end())
      })
      request.end(body)
    })
}

/** Reads seconds or an HTTP date (RFC 9110). @returns undefined for anything else */
function readRetryAfter(headers: IncomingHttpHeaders, now: number): number | undefined {
  const text = headers['retry-after'] ?? ''
  if (/^\d{1,9}$/.test(text)) return Number(text) * 1000
  if (!/^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/.test(text)) return undefined
  const moment = Date.parse(text)
  return Number.isNaN(moment) ? undefined : Math.max(0, moment - now)
}

function outcomeOf(status: number | undefined, isLate: boolean, error: Error | undefined): Outcome {
  // The status is the answer, even if the body is incomplete.
  if (status !== undefined) {
    if (status >= 200 && status < 300) return 'delivered'
    if (status >= 300 && status < 400) return 'redirected'
    return status === 410 ? 'gone' : 'refused'
  }
  if (isLate) return 'timeout'
  return error instanceof ForbiddenAddress ? 'forbidden' : 'unreachable'
}

/** Looks up a name and returns only permitted addresses, one of which is connected to. */
function permitted(lookup: LookupFunction, permits: (address: string) => boolean): LookupFunction {
  return (hostname, options, callback) => {
    lookup(hostname, { ...options, all: true }, (error, found) => {
      const addresses = (Array.isArray(found) ? found : []).filter(({ address }) => permits(address))
      const [first] = addresses
      if (error !== null || first === undefined) {
        callback(error ?? new ForbiddenAddress(), '', 0)
      } else if (options.all) callback(null, addresses)
      else callback(null, first.address, first.family)
    })
  }
}

/** The address actually connected to is checked again before anything is sent over TLS. */
function refuseOthers(request: ClientRequest, permits: (address: string) => boolean): void {
  request.once('socket', (socket) => {
    socket.once('connect', () => {
      const { remoteAddress } = socket
      if (remoteAddress === undefined || !permits(remoteAddress)) request.destroy(new ForbiddenAddress())
    })
  })
}
