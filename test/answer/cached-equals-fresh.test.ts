/** What is retained is what would be read anew, whatever the desk commits; and most of it is retained. */
import { expect, it } from 'vitest'
import { startTestApi } from '../support/api.ts'
import { RANDOM_PROFILE, randomCenter, seededRandom } from '../support/random-center.ts'
import { SEED } from '../support/seed.ts'
import { spa } from '../support/world.ts'
import { type Compared, compareCached, forgetColumn, type Read } from './cached-and-fresh.ts'
import { type Instance, startInstance } from './instances.ts'

const REQUESTS = 25
const COMMITS = 40

it(`every cached answer equals a fresh one after every commit (SEED=${SEED})`, async () => {
  const { compared, hits } = await compare(SEED, COMMITS)
  expect(compared.difference).toBeUndefined()
  // Else nothing was tried.
  expect(hits).toBeGreaterThan((COMMITS * REQUESTS) / 10)
})

it('an answer that is cached wrongly, because the change of one column is not recorded, is found', async () => {
  let difference: string | undefined
  // Which requests and commits a seed gives depends on the fields that there are.
  for (let trial = 1; trial <= 8 && difference === undefined; trial += 1) {
    difference = (await compare(trial, COMMITS * 5, 'bookings.status')).compared.difference
  }
  expect(difference).toMatch(/after \d+ commits, .*status/)
})

async function compare(
  of: number,
  commits: number,
  forgotten?: string,
): Promise<{ compared: Compared; hits: number }> {
  const random = seededRandom(of)
  const now = Date.parse('2025-02-10T09:00:00Z')
  const api = await startTestApi({
    records: [spa(RANDOM_PROFILE), ...randomCenter(random)],
    clock: () => now,
  })
  if (forgotten !== undefined) await forgetColumn(api.database, forgotten)
  const caching = await startInstance(api, api.key, { clock: () => now })
  const reading = await startInstance(api, api.key, { clock: () => now, answerCacheMb: 0 })
  const compared = await compareCached({
    random,
    commit: (work) => api.database.transaction(work),
    cached: readOf(caching),
    fresh: readOf(reading),
    requests: REQUESTS,
    sample: REQUESTS,
    comparisons: commits * REQUESTS,
  })
  return { compared, hits: await caching.metric('sojourn_answer_cache_hits_total') }
}

const readOf =
  (instance: Instance): Read =>
  async (url, headers) => {
    const { status, text, headers: got } = await instance.get(url, headers)
    return { status, text, etag: got.etag }
  }
