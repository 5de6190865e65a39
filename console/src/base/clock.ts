/** The time, and what happens later: tests have their own. */
export interface Clock {
  now(): number
  /** @returns what ends it */
  after(ms: number, act: () => void): () => void
}

export const browserClock: Clock = {
  now: () => Date.now(),
  after(ms, act) {
    const timer = setTimeout(act, Math.max(0, ms))
    return () => clearTimeout(timer)
  },
}
