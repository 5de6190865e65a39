/**
 * Hostile requests by the thousands, with a seed that is printed. 100,000 on both databases:
 * `HOSTILE_REQUESTS=100000 npm run test:whole -- test/parts/openapi/at-length`; `SEED` repeats the same ones.
 */
import { getHeapStatistics, setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { SEED } from '../../../support/seed.ts'
import { hostileRequests } from '../hostile/requests.ts'
import { startHostileService } from '../hostile/service.ts'

const { HOSTILE_REQUESTS = '5000' } = process.env

/** What the service keeps for what comes again has its own bounds; a byte of each request would be more. */
const GROWTH_BYTES_MAX = 48 * 1024 * 1024
/** What fills up stops growing from one to the next; what leaks does not. */
const ROUNDS = 4

it('whatever is asked, the answer is as documented, of one’s own center and within one’s scopes, and nothing of it stays', async () => {
  const service = await startHostileService()
  const ask = (numRuns: number, round: number) =>
    fc.assert(
      fc.asyncProperty(hostileRequests(service.document), async (request) => {
        expect(await service.problemsWith(request)).toEqual([])
      }),
      { numRuns, seed: SEED + round, endOnFailure: numRuns > 10_000 },
    )
  process.stdout.write(`${HOSTILE_REQUESTS} hostile requests, seed ${SEED}\n`)
  await ask(1000, 0)
  const before = heapInUse()
  let growth = 0
  for (let round = 1; round <= ROUNDS; round += 1) {
    await ask(Math.ceil(Number(HOSTILE_REQUESTS) / ROUNDS), round)
    growth = heapInUse() - before
    process.stdout.write(`after round ${round} the heap has ${(growth / 1e6).toFixed(1)} MB more\n`)
  }
  process.stdout.write(`answers by status: ${JSON.stringify(service.statuses)}\n`)
  expect(growth).toBeLessThan(GROWTH_BYTES_MAX)
  // A guard of the above: it reached data, and every kind of refusal.
  for (const status of [200, 400, 401, 403, 404, 405]) {
    expect(service.statuses[status], String(status)).toBeGreaterThan(10)
  }
}, 3_600_000)

setFlagsFromString('--expose-gc')
const collect: () => void = runInNewContext('gc')

function heapInUse(): number {
  collect()
  const { used_heap_size, external_memory } = getHeapStatistics()
  return used_heap_size + external_memory
}
