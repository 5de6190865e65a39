/**
 * How many requests an application may make (ruling 38): 100 a minute and 1000 an hour, unless its key says otherwise.
 * Both windows are fixed. Each begins with the first request after the previous one ended, so the headers are exact:
 * after `t` seconds, the whole quota is available again.
 *
 * Requests are counted per application, not per key, so a rotated key shares the remaining quota of its predecessor.
 */

import type { KeyState } from './key-states.ts'
import type { LimitState, Quotas } from './keys/quotas.ts'

export const MINUTE_MS = 60_000
export const HOUR_MS = 3_600_000

/** The state of both windows after a request was counted or refused. */
export interface LimitUse {
  readonly allowed: boolean
  readonly minuteUsed: number
  readonly minuteEndsInMs: number
  readonly hourUsed: number
  readonly hourEndsInMs: number
}

/** Counts a request in both windows or in neither: a refused request uses up nothing. */
export interface LimitStore {
  /** Returns a promise only if counting needs another process: the hot path does not wait. */
  take(counter: string, quotas: Quotas): LimitUse | Promise<LimitUse>
  /** outages of a shared store; undefined if the counters are in this process */
  readonly outages: StoreOutages | undefined
  close(): Promise<void>
}

/** Outages of a shared store. */
export interface StoreOutages {
  /** requests that this process counted alone because the store was unavailable */
  insured: number
  /** number of outages */
  outages: number
  /** 1 while the store is unavailable */
  away: 0 | 1
}

export interface LimitNumbers {
  /** number of requests refused */
  refused: number
  readonly store: StoreOutages | undefined
}

/** What a response says about the limits. */
export interface LimitReading {
  readonly allowed: boolean
  readonly limitUse: LimitUse
  /** `RateLimit-Policy`; undefined for a key without limits */
  readonly policy: string | undefined
  /** `RateLimit`; undefined for a key without limits */
  readonly rateLimit: string | undefined
  /** whole seconds until a request succeeds; 0 if this one is allowed */
  readonly retryAfterSeconds: number
}

export interface Limits {
  /** Counts one request of a key. */
  take(key: KeyState): LimitReading | Promise<LimitReading>
  readonly numbers: LimitNumbers
  close(): Promise<void>
}

/** Counts requests by application in the store and derives the response headers. */
export function createLimits(store: LimitStore): Limits {
  const numbers: LimitNumbers = { refused: 0, store: store.outages }
  return {
    numbers,
    take({ center, appId, quotas }) {
      // Applications are named within their center, so the center is part of the counter's name.
      const limitUse = store.take(`${center} ${appId}`, quotas)
      if (!(limitUse instanceof Promise)) {
        if (!limitUse.allowed) numbers.refused += 1
        return readingOf(limitUse, quotas)
      }
      return limitUse.then((counted) => {
        if (!counted.allowed) numbers.refused += 1
        return readingOf(counted, quotas)
      })
    },
    close: () => store.close(),
  }
}

/** The header fields of draft-ietf-httpapi-ratelimit-headers-11. A window without a limit is left out. */
export function readingOf(limitUse: LimitUse, quotas: Quotas): LimitReading {
  const { perMinute, perHour } = quotas
  // Rounded up: a client that waits this long is admitted.
  const minuteSeconds = Math.ceil(limitUse.minuteEndsInMs / 1000)
  const hourSeconds = Math.ceil(limitUse.hourEndsInMs / 1000)
  const minute =
    perMinute === 0 ? '' : `"burst";r=${Math.max(0, perMinute - limitUse.minuteUsed)};t=${minuteSeconds}`
  const hour = perHour === 0 ? '' : `"hourly";r=${Math.max(0, perHour - limitUse.hourUsed)};t=${hourSeconds}`
  let policy = policies.get(quotas)
  if (policy === undefined) {
    policy = policyOf(quotas)
    policies.set(quotas, policy)
  }
  return {
    allowed: limitUse.allowed,
    limitUse,
    policy: policy === '' ? undefined : policy,
    rateLimit: minute === '' ? hour || undefined : hour === '' ? minute : `${minute}, ${hour}`,
    retryAfterSeconds: limitUse.allowed
      ? 0
      : Math.max(
          1,
          perMinute !== 0 && limitUse.minuteUsed >= perMinute ? minuteSeconds : 0,
          perHour !== 0 && limitUse.hourUsed >= perHour ? hourSeconds : 0,
        ),
  }
}

/** The values of the header fields, for the body of an answer. */
export function limitStateOf(limitUse: LimitUse, { perMinute, perHour }: Quotas): LimitState {
  const window = (requests: number, used: number, endsInMs: number) =>
    requests === 0
      ? null
      : { requests, remaining: Math.max(0, requests - used), resetsInSeconds: Math.ceil(endsInMs / 1000) }
  return {
    minute: window(perMinute, limitUse.minuteUsed, limitUse.minuteEndsInMs),
    hour: window(perHour, limitUse.hourUsed, limitUse.hourEndsInMs),
  }
}

/** `RateLimit-Policy` of each key's quotas, which are read with the key; '' for a key without limits. */
const policies = new WeakMap<Quotas, string>()

const policyOf = ({ perMinute, perHour }: Quotas): string =>
  [
    ...(perMinute === 0 ? [] : [`"burst";q=${perMinute};w=${MINUTE_MS / 1000}`]),
    ...(perHour === 0 ? [] : [`"hourly";q=${perHour};w=${HOUR_MS / 1000}`]),
  ].join(', ')
