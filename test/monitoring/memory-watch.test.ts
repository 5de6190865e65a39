import { expect, test, vi } from 'vitest'
import { neededBytes } from '../../src/core/config/process-memory.ts'
import { type MemoryUse, watchMemory } from '../../src/core/monitoring/memory-watch.ts'
import { startTestApi } from '../support/api.ts'
import { guest } from '../support/world.ts'

const URL = '/v1/guests?startDate=2025-01-01&endDate=2025-01-31'

function watching(uses: readonly number[]) {
  let at = 0
  let released = 0
  const said: string[] = []
  const watch = watchMemory({
    measure: (): readonly MemoryUse[] => [
      { used: 10, limit: 100 },
      { used: uses[Math.min(at, uses.length - 1)] ?? 0, limit: 100 },
    ],
    release: () => {
      released += 1
      at += 1
    },
    log: { warn: (sentence) => said.push(sentence), info: (sentence) => said.push(sentence) },
  })
  watch.stop()
  return {
    watch,
    said,
    released: () => released,
    use: (n: number) => {
      at = n
    },
  }
}

test('what is garbage is collected before anything is refused', () => {
  const { watch, said, released } = watching([95, 50])
  for (let n = 0; n < 10; n += 1) watch.check()
  expect(watch.isShort).toBe(false)
  expect(released()).toBe(1)
  expect(said).toEqual([])
})

test('where that does not help reads are refused until there is more, and both are said once', () => {
  const { watch, said, released, use } = watching([95, 95, 95, 95, 20])
  for (let n = 0; n < 4; n += 1) watch.check()
  expect(watch.isShort).toBe(true)
  for (let n = 0; n < 8; n += 1) watch.check()
  expect(watch.isShort).toBe(true)
  // Not at every look: a collection stops everything.
  expect(released()).toBe(3)
  use(4)
  watch.check()
  expect(watch.isShort).toBe(false)
  expect(said).toHaveLength(2)
})

test('a service that is short of memory refuses reads with 503 and goes on telling that it lives', async () => {
  let used = 10
  const api = await startTestApi({
    records: guest('b1'),
    app: { memory: () => [{ used, limit: 100 }] },
  })
  expect((await api.get(URL)).status).toBe(200)
  used = 95
  await vi.waitFor(async () => expect((await api.get(URL)).status).toBe(503), 60_000)
  const refused = await api.get(URL)
  expect(refused.headers['retry-after']).toBe('2')
  expect(refused.body.error.code).toBe('UNAVAILABLE')
  expect((await api.get('/health/live')).status).toBe(200)
  used = 10
  await vi.waitFor(async () => expect((await api.get(URL)).status).toBe(200), 60_000)
})

test('pages that can be read again from files are no shortage, but those in constant use are counted', () => {
  const { rss, heapTotal } = process.memoryUsage()
  const needed = neededBytes()
  expect(needed).toBeGreaterThan(heapTotal)
  if (process.platform === 'linux') expect(needed).toBeLessThan(rss)
})
