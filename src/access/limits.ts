/**
 * How many requests an application may make (ruling 38): 100 a minute and 1000 an hour, unless its key says
 * otherwise. Both windows are fixed and begin with the first request after the last one ended, so that what the
 * headers promise is what happens: wait `t` seconds and the quota is whole again.
 *
 * Requests are counted by application, not by key, so that a rotated key shares what its predecessor has left.
 */
import { DEFAULT_QUOTAS, type LimitState, type Quotas, quotasOf } from '../keys/quotas.ts'
import type { KeyState } from './key-states.ts'

export const MINUTE_MS = 60_000
export const HOUR_MS = 3_600_000

/** How both windows stand after a request was counted, or was not. */
export interface Standing {
  readonly allowed: boolean
  readonly minuteUsed: number
  readonly minuteEndsInMs: number
  readonly hourUsed: number
  readonly hourEndsInMs: number
}

/** Counts a request in both windows or in none: one that is refused takes nothing from either. */
export interface LimitStore {
  /** A promise only where the counting is not in this process: the hot path waits for nothing. */
  take(counter: string, quotas: Quotas): Standing | Promise<Standing>
  /** of a store that is shared; undefined where the counters are this process's own */
  readonly outages: StoreOutages | undefined
  close(): Promise<void>
}

/** How a shared store fared. */
export interface StoreOutages {
  /** requests that this process counted alone, because the store was away */
  insured: number
  /** how often the store went away */
  outages: number
  /** 1 while the store is away */
  away: 0 | 1
}

export interface LimitNumbers {
  /** requests that were refused */
  refused: number
  readonly store: StoreOutages | undefined
}

/** What a request is told of its limits. */
export interface LimitReading {
  readonly allowed: boolean
  readonly standing: Standing
  /** `RateLimit-Policy`; undefined for a key without limits */
  readonly policy: string | undefined
  /** `RateLimit`; undefined for a key without limits */
  readonly rateLimit: string | undefined
  /** whole seconds after which a request succeeds; 0 where this one may pass */
  readonly retryAfterSeconds: number
}

export interface Limits {
  /** Counts one request of a key. */
  take(key: KeyState): LimitReading | Promise<LimitReading>
  readonly numbers: LimitNumbers
  close(): Promise<void>
}

export function createLimits(store: LimitStore): Limits {
  const numbers: LimitNumbers = { refused: 0, store: store.outages }
  const read = (standing: Standing, quotas: Quotas): LimitReading => {
    if (!standing.allowed) numbers.refused += 1
    return readingOf(standing, quotas)
  }
  return {
    numbers,
    take(key) {
      const quotas = quotasOf(key)
      // The application's identifier is the center's own: what one center counts, no other one sees.
      const standing = store.take(`${key.center} ${key.appId}`, quotas)
      return standing instanceof Promise
        ? standing.then((settled) => read(settled, quotas))
        : read(standing, quotas)
    },
    close: () => store.close(),
  }
}

/** The header fields of draft-ietf-httpapi-ratelimit-headers-11; a window without a limit is left out. */
export function readingOf(standing: Standing, quotas: Quotas): LimitReading {
  const { perMinute, perHour } = quotas
  const minuteSeconds = wholeSeconds(standing.minuteEndsInMs)
  const hourSeconds = wholeSeconds(standing.hourEndsInMs)
  const minute =
    perMinute === 0
      ? undefined
      : `"burst";r=${Math.max(0, perMinute - standing.minuteUsed)};t=${minuteSeconds}`
  const hour =
    perHour === 0 ? undefined : `"hourly";r=${Math.max(0, perHour - standing.hourUsed)};t=${hourSeconds}`
  return {
    allowed: standing.allowed,
    standing,
    policy: policyOf(quotas),
    rateLimit: both(minute, hour),
    retryAfterSeconds: standing.allowed
      ? 0
      : Math.max(
          1,
          perMinute !== 0 && standing.minuteUsed >= perMinute ? minuteSeconds : 0,
          perHour !== 0 && standing.hourUsed >= perHour ? hourSeconds : 0,
        ),
  }
}

/** The same as the header fields, for an answer's body. */
export function limitStateOf(standing: Standing, { perMinute, perHour }: Quotas): LimitState {
  const window = (requests: number, used: number, endsInMs: number) =>
    requests === 0
      ? null
      : { requests, remaining: Math.max(0, requests - used), resetsInSeconds: wholeSeconds(endsInMs) }
  return {
    minute: window(perMinute, standing.minuteUsed, standing.minuteEndsInMs),
    hour: window(perHour, standing.hourUsed, standing.hourEndsInMs),
  }
}

const defaultPolicy = formatPolicy(DEFAULT_QUOTAS)

const policyOf = (quotas: Quotas) => (quotas === DEFAULT_QUOTAS ? defaultPolicy : formatPolicy(quotas))

function formatPolicy({ perMinute, perHour }: Quotas): string | undefined {
  return both(
    perMinute === 0 ? undefined : `"burst";q=${perMinute};w=${MINUTE_MS / 1000}`,
    perHour === 0 ? undefined : `"hourly";q=${perHour};w=${HOUR_MS / 1000}`,
  )
}

function both(minute: string | undefined, hour: string | undefined): string | undefined {
  if (minute === undefined || hour === undefined) return minute ?? hour
  return `${minute}, ${hour}`
}

// Never earlier than the window's end, so that who waits it out is let in.
const wholeSeconds = (ms: number) => Math.ceil(ms / 1000)
