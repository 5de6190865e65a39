/** Time in tests of the console. */
import type { Clock } from '../../console/src/base/clock.ts'

/** A clock that a test moves. */
export function handClock(): Clock & { move(ms: number): Promise<void> } {
  let now = 0
  let waiting: { at: number; act: () => void }[] = []
  return {
    now: () => now,
    after(ms, act) {
      const one = { at: now + ms, act }
      waiting.push(one)
      return () => {
        waiting = waiting.filter((other) => other !== one)
      }
    },
    async move(ms) {
      now += ms
      const due = waiting.filter(({ at }) => at <= now)
      waiting = waiting.filter(({ at }) => at > now)
      for (const { act } of due) act()
      await settled()
    },
  }
}

export const settled = () => new Promise((resolve) => setImmediate(resolve))
