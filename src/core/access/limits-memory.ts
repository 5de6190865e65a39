/**
 * Counters in this process: the store of a single instance, and the fallback while the shared store is unavailable. A
 * request costs one look-up in a map. There are no timers: expired counters are removed when the map grows.
 */
import type { Quotas } from './keys/quotas.ts'
import { HOUR_MS, type LimitStore, type LimitUse, MINUTE_MS } from './limits.ts'

interface Counter {
  minuteUsed: number
  /** epoch ms */
  minuteEnd: number
  hourUsed: number
  hourEnd: number
}

export interface MemoryLimitStore extends LimitStore {
  take(counter: string, quotas: Quotas): LimitUse
  /** number of counters */
  readonly size: number
}

const SWEEP_SIZE_MIN = 1024

/** @param clock epoch ms */
export function createMemoryLimits(clock: () => number): MemoryLimitStore {
  // Only genuine keys are counted, so there are at most twice as many counters as applications in the last hour.
  const counters = new Map<string, Counter>()
  let sweepSize = SWEEP_SIZE_MIN

  const sweep = (now: number) => {
    for (const [name, counter] of counters) {
      if (counter.minuteEnd <= now && counter.hourEnd <= now) counters.delete(name)
    }
    sweepSize = Math.max(SWEEP_SIZE_MIN, counters.size * 2)
  }

  return {
    take(name, quotas) {
      const now = clock()
      let counter = counters.get(name)
      if (counter === undefined) {
        if (counters.size >= sweepSize) sweep(now)
        counter = { minuteUsed: 0, minuteEnd: 0, hourUsed: 0, hourEnd: 0 }
        counters.set(name, counter)
      }
      // A clock that was set back must not lengthen a window.
      if (counter.minuteEnd > now + MINUTE_MS) counter.minuteEnd = now + MINUTE_MS
      if (counter.hourEnd > now + HOUR_MS) counter.hourEnd = now + HOUR_MS
      if (now >= counter.minuteEnd) counter.minuteUsed = 0
      if (now >= counter.hourEnd) counter.hourUsed = 0

      const allowed =
        (quotas.perMinute === 0 || counter.minuteUsed < quotas.perMinute) &&
        (quotas.perHour === 0 || counter.hourUsed < quotas.perHour)
      if (allowed) {
        // A window begins with the first request that is counted in it.
        if (now >= counter.minuteEnd) counter.minuteEnd = now + MINUTE_MS
        if (now >= counter.hourEnd) counter.hourEnd = now + HOUR_MS
        counter.minuteUsed += 1
        counter.hourUsed += 1
      }
      return {
        allowed,
        minuteUsed: counter.minuteUsed,
        minuteEndsInMs: counter.minuteUsed === 0 ? MINUTE_MS : counter.minuteEnd - now,
        hourUsed: counter.hourUsed,
        hourEndsInMs: counter.hourUsed === 0 ? HOUR_MS : counter.hourEnd - now,
      }
    },
    outages: undefined,
    get size() {
      return counters.size
    },
    async close() {},
  }
}
