import { expect, it } from 'vitest'
import { startTestApi } from '../support/api.ts'
import { RANDOM_PROFILE, randomCenter, seededRandom } from '../support/random-center.ts'
import { SEED } from '../support/seed.ts'
import { spa } from '../support/world.ts'
import { type Ask, catchUp, readAll, startFollowing, writeAll } from './model.ts'

/** More of them by command: `npx node bench/model.ts` */
const PAUSES = 4
const WRITERS = 3
const COMMITS = 6

it(`a follower that reads feed and lists has what the database has, after every pause (SEED=${SEED})`, async () => {
  const random = seededRandom(SEED)
  const api = await startTestApi({
    records: [spa(RANDOM_PROFILE), ...randomCenter(random)],
    now: '2025-02-10T09:00:00Z',
  })
  const ask: Ask = async (url) => {
    const answer = await api.get(url)
    expect(answer.status, answer.text).toBe(200)
    return answer
  }
  let followed = await startFollowing(ask)
  for (let pause = 0; pause < PAUSES; pause += 1) {
    const writing = writeAll(api.database, {
      seed: SEED + pause * WRITERS,
      writers: WRITERS,
      commits: COMMITS,
    })
    // It reads while they write.
    followed = await catchUp(ask, followed)
    followed = await catchUp(ask, followed)
    await writing
    followed = await catchUp(ask, followed)
    expect(followed.copy, `pause ${pause}`).toEqual(await readAll(ask))
  }
  // Else nothing was tried.
  expect(followed.entries).toBeGreaterThan(PAUSES * WRITERS)
})
