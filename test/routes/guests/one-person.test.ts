/** What a page of one guest asks for: all stays of a person, who is in a room, and the meals of one guest. */
import { beforeAll, expect, it } from 'vitest'
import { startTestApi, type TestApi } from '../../support/api.ts'
import { booking, guest, LODGE, lodge, spa, stay } from '../../support/world.ts'

let api: TestApi
beforeAll(async () => {
  api = await startTestApi({
    records: [
      spa(),
      lodge(),
      ...guest('now', { acc: { roomId: '205' }, skippingMeals: { lunch: ['2025-01-11'] } }),
      booking('next', {
        customerId: 'c-now',
        startDate: '2027-03-01T14:00',
        endDate: '2027-03-05T10:00',
      }),
      ...stay('other', '2025-01-12', '2025-01-13', { acc: { roomId: '205' } }),
      ...stay('moves', '2025-01-10', '2025-01-15', {
        accSegments: [
          { from: '2025-01-10', until: '2025-01-12', roomId: '101' },
          { from: '2025-01-12', until: '2025-01-15', roomId: '205' },
        ],
      }),
      ...stay('elsewhere', '2025-01-10', '2025-01-15', { acc: { roomId: '2 05' } }),
      ...guest('theirs', { centerId: LODGE, acc: { roomId: '205' } }),
    ],
  })
})

const ids = async (query: string) => {
  const { status, body, text } = await api.get(`/v1/guests?project=id&${query}`)
  expect(status, text).toBe(200)
  return body.data.map(({ id }) => id)
}

it('ruling 16: personOf finds all stays of the person of a guest, of all dates or of a range', async () => {
  expect(await ids('personOf=next')).toEqual(['now', 'next'])
  expect(await ids('personOf=now&startDate=2027-01-01&endDate=2027-12-31')).toEqual(['next'])
  expect(await ids('personOf=theirs')).toEqual([])
  expect(await ids('personOf=nobody')).toEqual([])
})

it('ruling 16: room finds those whose stay is in it, or partly so, by its raw value', async () => {
  const range = 'startDate=2025-01-01&endDate=2025-01-31'
  expect(await ids(`${range}&room=205`)).toEqual(['moves', 'now', 'other'])
  expect(await ids(`${range}&room=101`)).toEqual(['moves'])
  expect(await ids('startDate=2025-01-13&endDate=2025-01-13&room=205')).toEqual(['moves', 'now', 'other'])
  expect((await api.get('/v1/guests?room=205')).status).toBe(400)
})

it('the portions of one guest are those of nobody else', async () => {
  const range = 'startDate=2025-01-11&endDate=2025-01-11&includeGuests=true&includeReasons=true'
  const { body } = await api.get(`/v1/meals/portions?${range}&guestId=now`)
  expect(body.days).toMatchObject([
    {
      meals: { breakfast: { portions: 1 }, lunch: { portions: 0 }, dinner: { portions: 1 } },
      guestList: [{ id: 'now', eats: ['breakfast', 'dinner'], skips: ['lunch'] }],
    },
  ])
  for (const id of ['nobody', 'theirs']) {
    const none = await api.get(`/v1/meals/portions?${range}&guestId=${id}`)
    expect(none.body.days).toMatchObject([{ guestList: [] }])
  }
})
