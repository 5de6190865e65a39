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

/** The longest wait that a receiver can request. */
const ASKED_MS_MAX = 8 * HOUR_MS

export const GIVING_UP_MS = 72 * HOUR_MS

/** Spreads retries, so that receivers that failed together are not called together. */
const SPREAD = 0.2

/**
 * @param attempts number of failed attempts
 * @param failingMs time since the first of them
 * @param chance from 0 to 1, drawn for each delay
 * @param askedMs wait requested by the receiver, which is respected up to the longest delay
 * @returns milliseconds until the next attempt, the last of which is when the three days are over; undefined after that
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
