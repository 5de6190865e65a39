/** A statement that the database cuts off for its time, as `drivers.test.ts` has it from a server. */
import { beforeAll, describe, expect, it } from 'vitest'
import { DatabaseUnavailable } from '../../src/core/database/database.ts'
import { namedParameters, startTestApi, type TestApi } from '../support/api.ts'
import { openTestDatabase } from '../support/database.ts'
import { watchDatabase } from '../support/watched-database.ts'

let api: TestApi
/** the SQLSTATE that reads of the center's data end with */
let state = '57014'
beforeAll(async () => {
  const watched = watchDatabase(await openTestDatabase())
  api = await startTestApi({ database: watched.database })
  watched.before = ({ by }) => {
    if (by === 'queryArrays') throw new DatabaseUnavailable('cut off', { cause: { code: state } })
  }
})

const TEN_YEARS = 'startDate=2015-01-01&endDate=2024-12-31'
const WIDE = [
  `/v1/guests?${TEN_YEARS}`,
  `/v1/guests/meal-skipping-report?${TEN_YEARS}`,
  `/v1/orders?${TEN_YEARS}`,
  `/v1/sessions?${TEN_YEARS}`,
  '/v1/orders?startDate=2025-01-01&endDate=2025-02-28',
]

describe('a read that takes too long', () => {
  it.each(WIDE)('ruling 8: of a wide range says so, and that a shorter one works: GET %s', async (url) => {
    const answer = await api.get(url)
    expect(answer.status).toBe(400)
    expect(namedParameters(answer)).toEqual(['startDate', 'endDate'])
    expect(answer.body.error.message).toMatch(
      /^The range .* contains more than can be read in time\. .* shorter/,
    )
    expect(answer.headers).not.toHaveProperty('retry-after')
  })

  it.each([
    '/v1/guests?sessionId=s1',
    '/v1/guests?startDate=2025-01-01&endDate=2025-01-31',
    '/v1/orders?startDate=2025-03-01&endDate=2025-03-31',
    '/v1/guests/meal-skipping-report?sessionId=s1',
  ])('of anything else is a 503 to retry: GET %s', async (url) => {
    const answer = await api.get(url)
    expect(answer.status).toBe(503)
    expect(answer.headers).toHaveProperty('retry-after')
  })

  it.each(['08006', '53300', '40001'])(
    'of a wide range is a 503 too where the reason is %s',
    async (other) => {
      state = other
      try {
        for (const url of WIDE) expect((await api.get(url)).status).toBe(503)
      } finally {
        state = '57014'
      }
    },
  )
})
