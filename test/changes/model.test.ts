import { expect, it } from 'vitest'
import { startTestApi } from '../support/api.ts'
import { randomCenter, seededRandom } from '../support/random-center.ts'
import { readAll, startFollower, write } from './model.ts'

/** More of them by command: PAUSES=1000 npm test -- test/changes/model */
const PAUSES = Number(process.env.PAUSES ?? 4)
const WRITERS = 3
const COMMITS = 6

/** What shows in the test's title, so that a failure can be run again: SEED=… */
const seed = Number(process.env.SEED ?? Math.floor(Math.random() * 2 ** 32))

it(
  `a follower that reads feed and lists has what the database has, after every pause (SEED=${seed})`,
  async () => {
    const random = seededRandom(seed)
    const api = await startTestApi({ records: randomCenter(random), now: '2025-02-10T09:00:00Z' })
    const follower = await startFollower(api)
    for (let pause = 0; pause < PAUSES; pause += 1) {
      const writing = Array.from({ length: WRITERS }, async (_, at) => {
        const own = seededRandom(seed + pause * WRITERS + at)
        for (let commit = 0; commit < COMMITS; commit += 1) await write(api, own)
      })
      // It reads while they write.
      await follower.catchUp(api)
      await follower.catchUp(api)
      await Promise.all(writing)
      await follower.catchUp(api)
      expect(follower.copy, `pause ${pause}`).toEqual(await readAll(api))
    }
    // Else nothing was tried.
    expect(follower.entries()).toBeGreaterThan(PAUSES * WRITERS)
  },
  120_000 + PAUSES * 30_000,
)
