/** When a message that was not accepted is sent again: soon at first, then less and less often, for three days. */

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS

const DELAYS_MS = [
  5000,
  30_000,
  2 * MINUTE_MS,
  10 * MINUTE_MS,
  30 * MINUTE_MS,
  HOUR_MS,
  2 * HOUR_MS,
  4 * HOUR_MS,
  8 * HOUR_MS,
] as const

/** A receiver that asks for more is asked again all the same. */
const ASKED_MS_MAX = 8 * HOUR_MS

export const GIVING_UP_MS = 72 * HOUR_MS

/** So that receivers that failed together are not asked together. */
const SPREAD = 0.2

/**
 * @param attempts how many have failed
 * @param failingMs since the first of them
 * @param chance from 0 to 1, drawn anew for each delay
 * @param askedMs what the receiver asked for; it is not asked sooner, but for no longer than the longest delay
 * @returns milliseconds until the next attempt, the last one when the three days are over; undefined after that
 */
export function retryDelay(
  attempts: number,
  failingMs: number,
  chance: number,
  askedMs = 0,
): number | undefined {
  if (failingMs >= GIVING_UP_MS) return undefined
  const delay = DELAYS_MS[Math.min(attempts, DELAYS_MS.length) - 1] ?? DELAYS_MS[0]
  const own = Math.round(delay * (1 - SPREAD / 2 + SPREAD * chance))
  return Math.min(Math.max(own, Math.min(askedMs, ASKED_MS_MAX)), GIVING_UP_MS - failingMs)
}
