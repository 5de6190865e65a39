import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { DAY_MS } from '../../src/core/locale/civil.ts'
import { failedDailyWork, onceADay } from '../../src/core/monitoring/once-a-day.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const MINUTE_MS = 60_000

function appWithLog() {
  const logged: unknown[][] = []
  const closing: (() => Promise<void>)[] = []
  const log = {
    info: (...entry: unknown[]) => void logged.push(entry),
    error: (...entry: unknown[]) => void logged.push(entry),
  }
  const app = { log, addHook: (_: string, hook: () => Promise<void>) => void closing.push(hook) }
  return { app: app as unknown as Parameters<typeof onceADay>[0], logged, closing }
}

test('old records are pruned after a minute and then once a day, until the service closes', async () => {
  const { app, logged, closing } = appWithLog()
  const counts = [3, 0, undefined, 5]
  onceADay(app, 'sheets', async () => counts.shift())
  await vi.advanceTimersByTimeAsync(MINUTE_MS - 1)
  expect(counts).toHaveLength(4)
  await vi.advanceTimersByTimeAsync(1)
  expect(counts).toHaveLength(3)
  await vi.advanceTimersByTimeAsync(2 * DAY_MS)
  expect(counts).toHaveLength(1)
  expect(logged, 'nothing to report of none').toEqual([[{ count: 3 }, 'pruned sheets']])
  for (const close of closing) await close()
  await vi.advanceTimersByTimeAsync(3 * DAY_MS)
  expect(counts).toHaveLength(1)
})

test('a failure is logged without what the database says, and the next day is tried again', async () => {
  const { app, logged } = appWithLog()
  let times = 0
  onceADay(app, 'sheets', async () => {
    times += 1
    throw new TypeError('Ana Popescu')
  })
  await vi.advanceTimersByTimeAsync(MINUTE_MS + DAY_MS)
  expect([times, failedDailyWork(app)]).toEqual([2, 2])
  expect(logged).toEqual([
    [{ name: 'TypeError' }, 'pruning failed: sheets'],
    [{ name: 'TypeError' }, 'pruning failed: sheets'],
  ])
})
