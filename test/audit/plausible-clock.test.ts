import { expect, it } from 'vitest'
import { judgeClock } from '../../src/core/audit/verify/plausible-clock.ts'
import type { Queryable } from '../../src/core/database/database.ts'

const DAY = 86_400_000

/** Moments in days; the rest of what a trail says of itself follows from them. */
const judged = (
  times: { now: number; newest: number; before?: number; after?: number; past?: number },
  days = 730,
) => {
  const { now, newest, before, after, past = newest } = times
  const ms = (at: number | undefined) => (at === undefined ? null : at * DAY)
  const row = {
    now: now * DAY,
    newest: newest * DAY,
    newest_past: past * DAY,
    before_span: ms(before),
    after_span: ms(after),
  }
  // Of the driver's rows, one.
  const database: Queryable = { query: async () => [row] as never[] }
  return judgeClock(database, ['spa'], days)
}

it('a trail that goes on is judged by its newest moment', async () => {
  expect(await judged({ now: 1000, newest: 993 })).toEqual({ now: 1000 * DAY, daysAhead: 0, daysBehind: 0 })
  expect(await judged({ now: 1800, newest: 1000 })).toMatchObject({ daysAhead: 800, daysBehind: 0 })
  expect(await judged({ now: 200, newest: 1000, past: 199 })).toMatchObject({ daysAhead: 0, daysBehind: 800 })
})

it('one that a step led to is judged by what stood before the step, until it has gone on as long', async () => {
  const stepped = { now: 1801, newest: 1801 }
  expect(await judged({ ...stepped, before: 1000, after: 1800 })).toMatchObject({ daysAhead: 801 })
  expect(await judged({ ...stepped, before: 1799, after: 1800 })).toMatchObject({ daysAhead: 0 })
  expect(await judged({ ...stepped, after: 1800 })).toMatchObject({ daysAhead: 0 })
  expect(await judged({ ...stepped, before: 1000 })).toMatchObject({ daysAhead: 0 })
})
