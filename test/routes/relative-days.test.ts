/** Relative days: local days of the center, before anything else is read of a request. */
import { beforeAll, describe, expect, it } from 'vitest'
import { startTestApi, type TestApi, type TestCenter } from '../support/api.ts'
import { order, session, stay } from '../support/world.ts'

/** In Bucharest it is half past midnight on the 12th; in UTC it is still the 11th. */
const NOW = Date.parse('2025-01-11T22:30:00Z')
const DAY_MS = 86_400_000

let at = NOW
let service: TestApi
let api: TestCenter
beforeAll(async () => {
  service = await startTestApi({ clock: () => at })
  api = await service.newCenter([
    session('s1', '2025-01-10T14:00', '2025-01-15T10:00'),
    ...stay('ana', '2025-01-12', '2025-01-16'),
    ...stay('ben', '2025-01-13', '2025-01-19'),
    order('11111111-1111-4111-8111-111111111111', { orderDate: '2025-01-12T09:00' }),
  ])
})

const idsOf = async (query: string) => {
  const { status, text, body } = await api.get(`/v1/guests?${query}&project=id`)
  expect(status, text).toBe(200)
  return body.data.map(({ id }) => id)
}

describe('200', () => {
  it.each([
    ['arriving=today', ['ana']],
    ['arriving=tomorrow', ['ben']],
    ['arriving=today%2B1', ['ben']],
    ['arriving=today+1', ['ben']],
    ['arriving=yesterday', []],
    ['inHouse=tomorrow', ['ana', 'ben']],
    ['departing=week-end%2B1w', ['ben']],
    ['startDate=month-start&endDate=month-end', ['ana', 'ben']],
    ['startDate=2025-01-17&endDate=today%2B7', ['ben']],
  ])('ruling 12: %s means local days of the center', async (query, ids) => {
    expect(await idsOf(query)).toEqual(ids)
  })

  it.each([
    ['/v1/sessions?startDate=today&endDate=today', '/v1/sessions?startDate=2025-01-12&endDate=2025-01-12'],
    ['/v1/orders?startDate=today&endDate=today', '/v1/orders?startDate=2025-01-12&endDate=2025-01-12'],
    ['/v1/rooms?date=tomorrow', '/v1/rooms?date=2025-01-13'],
    [
      '/v1/meals/portions?startDate=today&endDate=today%2B6',
      '/v1/meals/portions?startDate=2025-01-12&endDate=2025-01-18',
    ],
    [
      '/v1/guests/meal-skipping-report?startDate=yesterday&endDate=today',
      '/v1/guests/meal-skipping-report?startDate=2025-01-11&endDate=2025-01-12',
    ],
    ['/v1/guests?arriving=today&format=csv', '/v1/guests?arriving=2025-01-12&format=csv'],
  ])('%s is the same request as with the days themselves', async (relative, absolute) => {
    const [one, other] = [await api.get(relative), await api.get(absolute)]
    expect(one.status, one.text).toBe(200)
    expect(one.text).toBe(other.text)
    expect(one.headers.etag).toBe(other.headers.etag)
  })

  it('the links to other pages have the days, so that pages belong together after midnight', async () => {
    const { headers } = await api.get('/v1/guests?inHouse=tomorrow&length=1')
    expect(headers.link).toContain('inHouse=2025-01-13&length=1&start=2>; rel="next"')
  })

  it('the next day is another answer, also for who asked before', async () => {
    const ask = () => idsOf('arriving=today')
    expect([await ask(), await ask()]).toEqual([['ana'], ['ana']])
    at = NOW + DAY_MS
    try {
      expect(await ask()).toEqual(['ben'])
    } finally {
      at = NOW
    }
  })

  it('a relative day of another parameter is what it is: a name that somebody looks for', async () => {
    expect(await idsOf('arriving=today&q=today')).toEqual([])
  })
})

describe('400', () => {
  it.each([
    [
      '/v1/guests?arriving=morrow',
      '"morrow\\" is not a date. Give a day that exists as YYYY-MM-DD, or a relative one',
    ],
    ['/v1/guests?arriving=Today', 'a relative one such as today, today+7 or month-start'],
    ['/v1/guests?arriving=today%2B', 'a relative one such as today'],
    ['/v1/guests?arriving=today%2B9999y', 'a relative one such as today'],
    ['/v1/guests?startDate=today&endDate=2025-02-30', 'a relative one such as today or today+7'],
    ['/v1/guests?startDate=tomorrow&endDate=today', 'startDate 2025-01-13 is after endDate 2025-01-12'],
    ['/v1/guests?arriving=today&arriving=tomorrow', 'arriving was given 2 times'],
    ['/v1/guests/match?name=Ana&dob=today&startDate=today&endDate=today', 'dob is not a date'],
  ])('%s', async (url, said) => {
    const answer = await api.get(url)
    expect(answer.status, answer.text).toBe(400)
    expect(answer.text).toContain(said)
  })
})
