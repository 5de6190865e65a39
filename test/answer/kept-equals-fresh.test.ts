/** What is kept is what would be read anew, whatever the desk commits; and most of it is kept. */
import { expect, it } from 'vitest'
import { startTestApi } from '../support/api.ts'
import { randomCenter, seededRandom } from '../support/random-center.ts'
import { type Instance, startInstance } from './instances.ts'
import { type Compared, compareKept, forgetColumn, type Read } from './kept-and-fresh.ts'

const REQUESTS = 25
const COMMITS = 40

/** What shows in the test's title, so that a failure can be run again: SEED=… */
const seed = Number(process.env.SEED ?? Math.floor(Math.random() * 2 ** 32))

it(`every cached answer equals a fresh one after every commit (SEED=${seed})`, async () => {
  const { compared, hits } = await compare(seed, COMMITS)
  expect(compared.difference).toBeUndefined()
  // Else nothing was tried.
  expect(hits).toBeGreaterThan((COMMITS * REQUESTS) / 10)
}, 120_000)

it('an answer that is cached wrongly, because the change of one column is not recorded, is found', async () => {
  const { compared } = await compare(1, COMMITS * 10, 'bookings.therapist_name')
  expect(compared.difference).toMatch(/after \d+ commits, .*therapistName/)
}, 120_000)

async function compare(
  of: number,
  commits: number,
  forgotten?: string,
): Promise<{ compared: Compared; hits: number }> {
  const random = seededRandom(of)
  const now = Date.parse('2025-02-10T09:00:00Z')
  const api = await startTestApi({ records: randomCenter(random), clock: () => now })
  if (forgotten !== undefined) await forgetColumn(api.database, forgotten)
  const keeping = await startInstance(api, api.key, { clock: () => now })
  const reading = await startInstance(api, api.key, { clock: () => now, answerCacheMb: 0 })
  const compared = await compareKept({
    random,
    commit: (work) => api.database.transaction(work),
    kept: readOf(keeping),
    fresh: readOf(reading),
    requests: REQUESTS,
    sample: REQUESTS,
    comparisons: commits * REQUESTS,
  })
  return { compared, hits: await keeping.metric('sojourn_answer_cache_hits_total') }
}

const readOf =
  (instance: Instance): Read =>
  async (url, headers) => {
    const { status, text, headers: got } = await instance.get(url, headers)
    return { status, text, etag: got.etag }
  }
