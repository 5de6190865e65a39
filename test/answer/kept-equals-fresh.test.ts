/** What is kept is what would be read anew, whatever the desk commits; and most of it is kept. */
import { expect, it } from 'vitest'
import { startTestApi } from '../support/api.ts'
import {
  randomCenter,
  randomCommit,
  randomRequest,
  runCommit,
  seededRandom,
} from '../support/random-center.ts'
import { startInstance } from './instances.ts'

const COMMITS = 40
const REQUESTS = 25

/** What shows in the test's title, so that a failure can be run again: SEED=… */
const seed = Number(process.env.SEED ?? Math.floor(Math.random() * 2 ** 32))

it(`every kept answer equals a fresh one after every commit (SEED=${seed})`, async () => {
  const random = seededRandom(seed)
  const now = Date.parse('2025-02-10T09:00:00Z')
  const api = await startTestApi({ records: randomCenter(random), clock: () => now })
  const keeping = await startInstance(api, api.key, { clock: () => now })
  const reading = await startInstance(api, api.key, { clock: () => now, answerCacheBytes: 0 })
  const requests = Array.from({ length: REQUESTS }, () => randomRequest(random))
  for (let commit = 0; commit < COMMITS; commit += 1) {
    for (const { url, locale } of requests) {
      const headers = { 'x-locale': locale }
      const [kept, fresh] = [await keeping.get(url, headers), await reading.get(url, headers)]
      expect([kept.status, kept.headers.etag, kept.text], `commit ${commit}: ${url} in ${locale}`).toEqual([
        fresh.status,
        fresh.headers.etag,
        fresh.text,
      ])
    }
    const statements = randomCommit(random)
    await api.database.transaction((tx) => runCommit(tx, statements))
  }
  // Else nothing was tried.
  expect(await keeping.metric('sojourn_answer_cache_hits_total')).toBeGreaterThan((COMMITS * REQUESTS) / 10)
}, 120_000)
