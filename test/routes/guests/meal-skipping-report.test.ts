import { beforeAll, describe, expect, it } from 'vitest'
import { BOOKING_STATUSES } from '../../../src/core/records/fields/statuses.ts'
import { namedParameters, startTestApi, type TestApi } from '../../support/api.ts'
import { readCsv } from '../../support/csv.ts'
import { booking, customer, guest, session, stay } from '../../support/world.ts'

const PATH = '/v1/guests/meal-skipping-report'
const JANUARY = 'startDate=2025-01-01&endDate=2025-01-31'
const EMPTY = {
  summary: { totalGuests: 0, guestsWithSkipping: 0, datesWithSkipping: [], mealsAffected: [] },
  byDate: {},
  byGuest: {},
}

let service: TestApi
beforeAll(async () => {
  service = await startTestApi()
})

describe('200', () => {
  it('interface, meal-skipping report: summary, byDate and byGuest in the interface’s shape', async () => {
    const api = await service.newCenter([
      session('s1', '2025-01-06T12:00', '2025-01-12T12:00'),
      ...guest(
        'ana',
        {
          sessionIds: ['s1'],
          startDate: '2025-01-06T14:00',
          endDate: '2025-01-12T10:00',
          skippingMeals: { breakfast: ['2025-01-07', '2025-01-08'], dinner: ['2025-01-08'] },
        },
        { firstName: 'Ana', lastName: 'Pop' },
      ),
      ...guest(
        'dan',
        {
          sessionIds: ['s1'],
          startDate: '2025-01-06T14:00',
          endDate: '2025-01-12T10:00',
          skippingMeals: { breakfast: ['2025-01-08'] },
        },
        { firstName: 'Dan', lastName: 'Ilie' },
      ),
      ...stay('eats-all', '2025-01-06', '2025-01-12', { sessionIds: ['s1'] }),
    ])
    expect((await api.get(`${PATH}?sessionId=s1`)).body).toEqual({
      summary: {
        totalGuests: 3,
        guestsWithSkipping: 2,
        datesWithSkipping: ['2025-01-07', '2025-01-08'],
        mealsAffected: ['breakfast', 'dinner'],
      },
      byDate: {
        '2025-01-07': {
          breakfast: { count: 1, guests: [{ id: 'ana', name: 'Ana Pop' }] },
          lunch: { count: 0, guests: [] },
          dinner: { count: 0, guests: [] },
        },
        '2025-01-08': {
          breakfast: {
            count: 2,
            guests: [
              { id: 'ana', name: 'Ana Pop' },
              { id: 'dan', name: 'Dan Ilie' },
            ],
          },
          lunch: { count: 0, guests: [] },
          dinner: { count: 1, guests: [{ id: 'ana', name: 'Ana Pop' }] },
        },
      },
      byGuest: {
        ana: {
          name: 'Ana Pop',
          skippedMeals: [
            { date: '2025-01-07', meals: ['breakfast'] },
            { date: '2025-01-08', meals: ['breakfast', 'dinner'] },
          ],
          totalSkippedBreakfast: 2,
          totalSkippedLunch: 0,
          totalSkippedDinner: 1,
        },
        dan: {
          name: 'Dan Ilie',
          skippedMeals: [{ date: '2025-01-08', meals: ['breakfast'] }],
          totalSkippedBreakfast: 1,
          totalSkippedLunch: 0,
          totalSkippedDinner: 0,
        },
      },
    })
  })

  it('interface, meal-skipping report: with no guests all counts are 0 and all lists and objects empty', async () => {
    const api = await service.newCenter([session('empty', '2025-01-06T12:00', '2025-01-12T12:00')])
    for (const query of [JANUARY, 'sessionId=empty', 'sessionId=nowhere', `${JANUARY}&sessionId=empty`]) {
      const answer = await api.get(`${PATH}?${query}`)
      expect(answer).toMatchObject({ status: 200, body: EMPTY })
      expect(answer.body).toEqual(EMPTY)
    }
  })

  it('interface, meal-skipping report: guests who skip nothing are counted, and nothing else', async () => {
    const api = await service.newCenter(guest('g'))
    expect((await api.get(`${PATH}?${JANUARY}`)).body).toEqual({
      ...EMPTY,
      summary: { ...EMPTY.summary, totalGuests: 1 },
    })
  })

  it('ruling 27: cancelled, waitingList and review are left out unless the center says otherwise', async () => {
    const api = await service.newCenter(
      BOOKING_STATUSES.flatMap((status) =>
        guest(status, { status, skippingMeals: { lunch: ['2025-01-11'] } }),
      ),
    )
    const answer = await api.get(`${PATH}?${JANUARY}`)
    expect(Object.keys(answer.body.byGuest).sort()).toEqual(
      BOOKING_STATUSES.filter((status) => !['cancelled', 'waitingList', 'review'].includes(status)).sort(),
    )
    expect(answer.body.summary.totalGuests).toBe(BOOKING_STATUSES.length - 3)
  })
  it('ruling 27: exactly the states that the center’s setting names are left out', async () => {
    const records = BOOKING_STATUSES.flatMap((status) =>
      guest(status, { status, skippingMeals: { lunch: ['2025-01-11'] } }),
    )
    const strict = await service.newCenter(records, { mealReportExcludedStatuses: ['offer', 'voided'] })
    expect(Object.keys((await strict.get(`${PATH}?${JANUARY}`)).body.byGuest).sort()).toEqual(
      BOOKING_STATUSES.filter((status) => status !== 'offer' && status !== 'voided').sort(),
    )
    const all = await service.newCenter(records, { mealReportExcludedStatuses: [] })
    expect((await all.get(`${PATH}?${JANUARY}`)).body.summary.totalGuests).toBe(BOOKING_STATUSES.length)
  })

  describe('of sessions and days', () => {
    let api: Awaited<ReturnType<TestApi['newCenter']>>
    beforeAll(async () => {
      const skipsDaily = {
        lunch: ['2025-01-09', '2025-01-10', '2025-01-11', '2025-01-12', '2025-01-13', '2025-01-14'],
      }
      api = await service.newCenter([
        session('s1', '2025-01-06T12:00', '2025-01-12T12:00'),
        session('s2', '2025-01-13T12:00', '2025-01-19T12:00'),
        ...stay('one', '2025-01-09', '2025-01-12', { sessionIds: ['s1'], skippingMeals: skipsDaily }),
        ...stay('both', '2025-01-10', '2025-01-14', { sessionIds: ['s1', 's2'], skippingMeals: skipsDaily }),
        ...stay('two', '2025-01-13', '2025-01-19', { sessionIds: ['s2'], skippingMeals: skipsDaily }),
        ...stay('none', '2025-01-11', '2025-01-12', { skippingMeals: skipsDaily }),
      ])
    })
    const days = async (query: string) => {
      const { byGuest } = (await api.get(`${PATH}?${query}`)).body
      return Object.fromEntries(
        Object.entries(byGuest).map(([id, { skippedMeals }]) => [
          id,
          skippedMeals.map(({ date }) => date.slice(-2)).join(' '),
        ]),
      )
    }

    it('ruling 28: with sessionId come that session’s guests and the days of their stays that belong to it', async () => {
      expect(await days('sessionId=s1')).toEqual({ one: '09 10 11 12', both: '10 11 12' })
      expect(await days('sessionId=s2')).toEqual({ both: '13 14', two: '13 14' })
    })
    it('ruling 28: with dates come guests whose stay overlaps them, and only the days inside', async () => {
      expect(await days('startDate=2025-01-12&endDate=2025-01-13')).toEqual({
        one: '12',
        both: '12 13',
        two: '13',
        none: '12',
      })
      const answer = await api.get(`${PATH}?startDate=2025-01-12&endDate=2025-01-13`)
      expect(answer.body.summary).toMatchObject({
        totalGuests: 4,
        datesWithSkipping: ['2025-01-12', '2025-01-13'],
      })
    })
    it('ruling 28: with both, both apply', async () => {
      expect(await days('sessionId=s1&startDate=2025-01-12&endDate=2025-01-13')).toEqual({
        one: '12',
        both: '12',
      })
    })
    it('ruling 28: guests are counted once though they are in several sessions', async () => {
      expect((await api.get(`${PATH}?${JANUARY}`)).body.summary).toMatchObject({
        totalGuests: 4,
        guestsWithSkipping: 4,
      })
    })
    it('ruling 29: a skip recorded outside the guest’s own stay is not counted', async () => {
      expect(await days(JANUARY)).toEqual({
        one: '09 10 11 12',
        both: '10 11 12 13 14',
        two: '13 14',
        none: '11 12',
      })
    })
  })

  it('ruling 28: arriving early counts for the first session and leaving late for the last', async () => {
    const api = await service.newCenter([
      session('s2', '2025-01-13T12:00', '2025-01-15T12:00'),
      session('s1', '2025-01-11T12:00', '2025-01-12T12:00'),
      ...stay('g', '2025-01-10', '2025-01-17', {
        sessionIds: ['s2', 's1'],
        skippingMeals: { lunch: ['2025-01-10', '2025-01-12', '2025-01-13', '2025-01-17'] },
      }),
    ])
    const dates = async (id: string) =>
      (await api.get(`${PATH}?sessionId=${id}`)).body.summary.datesWithSkipping
    expect(await dates('s1')).toEqual(['2025-01-10', '2025-01-12'])
    expect(await dates('s2')).toEqual(['2025-01-13', '2025-01-17'])
  })
  it('ruling 28: of sessions that start on one local day the last by identifier has it and what follows', async () => {
    const api = await service.newCenter(
      [
        // 23:30 on the 11th and 00:30 on the 12th in UTC; one day, the 11th, in St. John's
        session('b', '2025-01-11T23:30:00Z', '2025-01-20T12:00:00Z'),
        session('a', '2025-01-12T00:30:00Z', '2025-01-20T12:00:00Z'),
        ...stay('g', '2025-01-10', '2025-01-13', {
          sessionIds: ['b', 'a'],
          skippingMeals: { lunch: ['2025-01-10', '2025-01-11', '2025-01-12'] },
        }),
      ],
      { timezone: 'America/St_Johns' },
    )
    const summary = async (id: string) => (await api.get(`${PATH}?sessionId=${id}`)).body.summary
    expect((await summary('a')).datesWithSkipping).toEqual(['2025-01-10'])
    expect((await summary('b')).datesWithSkipping).toEqual(['2025-01-11', '2025-01-12'])
    // A guest of the session counts, with days of their own in it or without.
    expect(await summary('a')).toMatchObject({ totalGuests: 1, guestsWithSkipping: 1 })
  })

  it('ruling 29: a guest all of whose skips are outside the stay or the days is counted but does not skip', async () => {
    const api = await service.newCenter(
      stay('g', '2025-01-10', '2025-01-15', {
        skippingMeals: { lunch: ['2025-01-09', '2025-01-16'], dinner: ['2025-01-15'] },
      }),
    )
    const answer = await api.get(`${PATH}?startDate=2025-01-01&endDate=2025-01-14`)
    expect(answer.body).toEqual({ ...EMPTY, summary: { ...EMPTY.summary, totalGuests: 1 } })
  })
  it('ruling 29: the stay’s first and last local day belong to it', async () => {
    const api = await service.newCenter(
      guest('g', {
        // 23:30 on the 9th to 00:30 on the 12th in St. John's
        startDate: '2025-01-10T03:00:00Z',
        endDate: '2025-01-12T04:00:00Z',
        skippingMeals: {
          dinner: ['2025-01-08', '2025-01-09', '2025-01-10', '2025-01-11', '2025-01-12', '2025-01-13'],
        },
      }),
      { timezone: 'America/St_Johns' },
    )
    expect((await api.get(`${PATH}?${JANUARY}`)).body.summary.datesWithSkipping).toEqual([
      '2025-01-09',
      '2025-01-10',
      '2025-01-11',
      '2025-01-12',
    ])
  })
  it('interface, meal-skipping report: days are the center’s local days on the nights the clocks change', async () => {
    const api = await service.newCenter([
      ...guest('spring', {
        startDate: '2025-03-29T22:30:00Z',
        endDate: '2025-03-30T20:30:00Z',
        skippingMeals: { dinner: ['2025-03-29', '2025-03-30', '2025-03-31'] },
      }),
      ...guest('autumn', {
        startDate: '2025-10-25T21:30:00Z',
        endDate: '2025-10-26T21:30:00Z',
        skippingMeals: { dinner: ['2025-10-25', '2025-10-26', '2025-10-27'] },
      }),
    ])
    expect(
      (await api.get(`${PATH}?startDate=2025-01-01&endDate=2025-12-31`)).body.summary.datesWithSkipping,
    ).toEqual(['2025-03-30', '2025-10-26'])
  })

  it('ruling 28: byDate ascends, and mealsAffected is in the order of the day', async () => {
    const api = await service.newCenter([
      ...stay('b', '2025-01-10', '2025-01-15', {
        skippingMeals: { dinner: ['2025-01-14'], breakfast: ['2025-01-13'] },
      }),
      ...stay('a', '2025-01-10', '2025-01-15', { skippingMeals: { lunch: ['2025-01-11'] } }),
    ])
    const answer = await api.get(`${PATH}?${JANUARY}`)
    expect(Object.keys(answer.body.byDate)).toEqual(['2025-01-11', '2025-01-13', '2025-01-14'])
    expect(answer.body.summary.datesWithSkipping).toEqual(['2025-01-11', '2025-01-13', '2025-01-14'])
    expect(answer.body.summary.mealsAffected).toEqual(['breakfast', 'lunch', 'dinner'])
    expect(Object.keys(answer.body.byDate['2025-01-11'] ?? {})).toEqual(['breakfast', 'lunch', 'dinner'])
  })
  it('ruling 28: within a meal guests are sorted by name, then identifier', async () => {
    const skips = { skippingMeals: { lunch: ['2025-01-11'] } }
    const api = await service.newCenter([
      ...guest('1', skips, { firstName: 'Ștefan', lastName: 'Albu' }),
      ...guest('2', skips, { firstName: 'Zoe', lastName: 'Albu' }),
      ...guest('4', skips, { firstName: 'ana', lastName: 'Pop' }),
      ...guest('3', skips, { firstName: 'ana', lastName: 'Pop' }),
      ...guest('5', skips, { firstName: 'Ștefan', lastName: 'Aldea' }),
      ...guest('6', skips, { firstName: 'Stefan', lastName: 'Albu' }),
      ...guest('7', skips, { firstName: 'Tudor', lastName: 'Albu' }),
    ])
    const { guests } = (await api.get(`${PATH}?${JANUARY}`)).body.byDate['2025-01-11']?.lunch ?? {
      guests: [],
    }
    expect(guests.map(({ id }) => id)).toEqual(['3', '4', '6', '1', '5', '7', '2'])
  })
  it('interface, meal-skipping report: names are first name, space, last name, in every language', async () => {
    const api = await service.newCenter(
      guest(
        'g',
        { skippingMeals: { lunch: ['2025-01-11'] } },
        { firstName: 'Anna Maria', lastName: 'von Berg' },
      ),
    )
    const answer = await api.get(`${PATH}?${JANUARY}`, { 'x-locale': 'hu' })
    expect(answer.body.byGuest.g?.name).toBe('Anna Maria von Berg')
  })
  it('interface, meal-skipping report: dates are YYYY-MM-DD in every language', async () => {
    const api = await service.newCenter(guest('g', { skippingMeals: { lunch: ['2025-01-11'] } }))
    const answer = await api.get(`${PATH}?${JANUARY}`, { 'x-locale': 'ro' })
    expect(answer.body.summary.datesWithSkipping).toEqual(['2025-01-11'])
  })
  it('interface, meal-skipping report: a customer with two bookings is two guests', async () => {
    const skips = { customerId: 'c', skippingMeals: { lunch: ['2025-01-11', '2025-01-21'] } }
    const api = await service.newCenter([
      customer('c'),
      booking('first', skips),
      booking('second', { ...skips, startDate: '2025-01-20T14:00', endDate: '2025-01-25T10:00' }),
    ])
    const answer = await api.get(`${PATH}?${JANUARY}`)
    expect(answer.body.summary).toMatchObject({ totalGuests: 2, guestsWithSkipping: 2 })
    expect(answer.body.byGuest.first?.totalSkippedLunch).toBe(1)
    expect(answer.body.byGuest.second?.totalSkippedLunch).toBe(1)
  })
  it('interface, meal-skipping report: a changed preference is in the next answer', async () => {
    const api = await service.newCenter(guest('g'))
    expect((await api.get(`${PATH}?${JANUARY}`)).body.summary.guestsWithSkipping).toBe(0)
    await service.database.runScript(
      `update bookings set skipping_meals = '{"breakfast": [], "lunch": ["2025-01-11"], "dinner": []}' where center_id = '${api.id}'`,
    )
    expect((await api.get(`${PATH}?${JANUARY}`)).body.summary.guestsWithSkipping).toBe(1)
    await service.database.runScript(`update bookings set status = 'cancelled' where center_id = '${api.id}'`)
    expect((await api.get(`${PATH}?${JANUARY}`)).body).toEqual(EMPTY)
  })
  it('interface, meal-skipping report: a skip that was recorded twice counts once', async () => {
    const api = await service.newCenter(guest('g'))
    await service.database.runScript(
      `update bookings set skipping_meals = '{"lunch": ["2025-01-12", "2025-01-11", "2025-01-12"], "dinner": null}' where center_id = '${api.id}'`,
    )
    expect((await api.get(`${PATH}?${JANUARY}`)).body.byGuest.g).toMatchObject({
      skippedMeals: [
        { date: '2025-01-11', meals: ['lunch'] },
        { date: '2025-01-12', meals: ['lunch'] },
      ],
      totalSkippedLunch: 2,
    })
  })
  it('ruling 7: another center’s guests and sessions do not exist for it', async () => {
    const theirs = await service.newCenter([
      session('theirs', '2025-01-06T12:00', '2025-01-12T12:00'),
      ...guest('g', { sessionIds: ['theirs'], skippingMeals: { lunch: ['2025-01-11'] } }),
    ])
    const ours = await service.newCenter([])
    for (const query of [JANUARY, 'sessionId=theirs']) {
      expect((await ours.get(`${PATH}?${query}`)).body).toEqual(EMPTY)
      expect((await theirs.get(`${PATH}?${query}`)).body.summary.totalGuests).toBe(1)
    }
  })
})

describe('200 as CSV', () => {
  it('has a row for each skip of the JSON, by format or by Accept, and no formula', async () => {
    const skips = { breakfast: ['2025-01-08', '2025-01-07'], dinner: ['2025-01-08'] }
    const api = await service.newCenter([
      ...guest(
        'b',
        { startDate: '2025-01-06T14:00', endDate: '2025-01-12T10:00', skippingMeals: skips },
        { firstName: '=1+1', lastName: 'X' },
      ),
      ...stay('a', '2025-01-06', '2025-01-12', { skippingMeals: { lunch: ['2025-01-08'] } }),
      ...stay('none', '2025-01-06', '2025-01-12'),
    ])
    const csv = await api.get(`${PATH}?${JANUARY}&format=csv`)
    expect(csv.headers['content-type']).toBe('text/csv; charset=utf-8; header=present')
    expect(csv.headers.vary).toContain('Accept')
    expect(csv.text).toContain(",'=1+1 X\r\n")
    const { byDate } = (await api.get(`${PATH}?${JANUARY}&format=json`, { accept: 'text/csv' })).body
    const expected = Object.entries<Record<string, { guests: readonly { id: string }[] }>>(byDate).flatMap(
      ([date, meals]) =>
        Object.entries(meals).flatMap(([meal, { guests }]) => guests.map(({ id }) => [date, meal, id])),
    )
    expect(expected).toHaveLength(4)
    expect(readCsv(csv.text).map(({ date, meal, id }) => [date, meal, id])).toEqual(expected)
    expect((await api.get(`${PATH}?${JANUARY}`, { accept: 'text/csv' })).text).toBe(csv.text)
    expect((await api.get(`${PATH}?startDate=2024-01-01&endDate=2024-01-01&format=csv`)).text).toBe(
      'date,meal,id,name\r\n',
    )
    expect((await api.get(`${PATH}?${JANUARY}&format=xlsx`)).status).toBe(400)
  })
})

describe('400', () => {
  it.each([
    ['', ['startDate']],
    ['?startDate=2025-01-01', ['endDate']],
    ['?endDate=2025-01-31', ['startDate']],
    ['?sessionId=s1&startDate=2025-01-01', ['endDate']],
    ['?sessionId=s1&endDate=2025-01-31', ['startDate']],
  ])('interface, meal-skipping report: "%s" is INVALID_PARAMETER', async (query, missing) => {
    const answer = await service.get(`${PATH}${query}`)
    expect(answer.status).toBe(400)
    expect(answer.body.error.code).toBe('INVALID_PARAMETER')
    expect(namedParameters(answer)).toEqual(missing)
  })
  it.each([
    '2025-01-01T00:00:00Z',
    '2025-01-01T00:00',
    '2025-02-30',
    'now',
    'infinity',
    '01/01/2025',
    '2025-01-01\u0000',
  ])('ruling 13: the report takes YYYY-MM-DD only, not %j', async (text) => {
    const answer = await service.get(`${PATH}?startDate=${encodeURIComponent(text)}&endDate=2025-12-31`)
    expect(answer.status).toBe(400)
    expect(namedParameters(answer)).toEqual(['startDate'])
  })
  it('ruling 11: start after end is a 400', async () => {
    expect((await service.get(`${PATH}?startDate=2025-02-01&endDate=2025-01-31`)).status).toBe(400)
  })
  it.each([
    'sessionIds=s1',
    'role=patient',
    'status=paid',
    'start=1',
    'length=10',
    'project=id',
    'formatDates=true',
  ])('ruling 9: %s is no parameter of the report', async (query) => {
    const answer = await service.get(`${PATH}?${JANUARY}&${query}`)
    expect(answer.status).toBe(400)
    expect(namedParameters(answer)).toEqual([query.slice(0, query.indexOf('='))])
  })
  it.each(['sessionId=', 'sessionId=a&sessionId=b', 'sessionId=a,b', 'sessionId=%00'])(
    'ruling 9: %s is refused',
    async (query) => {
      const answer = await service.get(`${PATH}?${query}`)
      expect(answer.status).toBe(400)
      expect(namedParameters(answer)).toEqual(['sessionId'])
    },
  )
})

describe('401', () => {
  it('interface, meal-skipping report: a missing key is UNAUTHORIZED', async () => {
    const answer = await service.as(undefined).get(`${PATH}?${JANUARY}`)
    expect(answer.status).toBe(401)
    expect(answer.body.error.code).toBe('UNAUTHORIZED')
  })
  it('interface, meal-skipping report: Authorization Bearer with a JSON content type is answered', async () => {
    const answer = await service
      .as(undefined)
      .get(`${PATH}?${JANUARY}`, { ...service.key.bearer, 'content-type': 'application/json' })
    expect(answer.status).toBe(200)
  })
})
