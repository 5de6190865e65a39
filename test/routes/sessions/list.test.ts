import { beforeAll, describe, expect, it } from 'vitest'
import { type Asker, namedParameters, startTestApi, type TestApi } from '../../support/api.ts'
import { session, term } from '../../support/world.ts'

const range = (startDate: string, endDate: string) =>
  `/v1/sessions?${new URLSearchParams({ startDate, endDate })}`
const YEAR = range('2025-01-01', '2025-12-31')

let service: TestApi
beforeAll(async () => {
  service = await startTestApi()
})
const ids = async (api: Asker, url: string) => {
  const answer = await api.get(url)
  expect(answer.status, answer.text).toBe(200)
  return answer.body.data.map((item) => item._id)
}

describe('200', () => {
  it('interface, GET /sessions: a session has exactly the interface’s fields', async () => {
    const api = await service.newCenter([
      term('program', 'detox', 'Detox'),
      term('unit', 'u1', 'Main house'),
      session('s1', '2025-01-06T12:00', '2025-01-12T12:00', {
        name: 'Winter',
        number: '1',
        text: 'First of the year',
        programIds: ['detox'],
        unitIds: ['u1'],
      }),
    ])
    expect((await api.get(YEAR)).body).toEqual({
      data: [
        {
          _id: 's1',
          name: 'Winter',
          number: '1',
          text: 'First of the year',
          availablePrograms: [{ _id: 'detox', name: 'Detox' }],
          availableUnits: [{ _id: 'u1', name: 'Main house' }],
          startDate: '2025-01-06T10:00:00.000Z',
          endDate: '2025-01-12T10:00:00.000Z',
        },
      ],
      total: 1,
    })
  })
  it('ruling 21: a session has all its fields always, null or an empty list where there is no value', async () => {
    const api = await service.newCenter([
      session('s1', '2025-01-06T12:00', '2025-01-12T12:00', { name: 'Bare' }),
    ])
    expect((await api.get(YEAR)).body.data[0]).toEqual({
      _id: 's1',
      name: 'Bare',
      number: null,
      text: null,
      availablePrograms: [],
      availableUnits: [],
      startDate: '2025-01-06T10:00:00.000Z',
      endDate: '2025-01-12T10:00:00.000Z',
    })
  })
  it('ruling 24: programs and units are in the session’s order, in the language asked for, else as they are', async () => {
    const api = await service.newCenter([
      term('program', 'b', 'Bath', { names: { ro: 'Baie' } }),
      term('program', 'a', 'Air'),
      term('unit', 'b', 'Not a program'),
      session('s1', '2025-01-06T12:00', '2025-01-12T12:00', {
        programIds: ['b', 'unknown', 'a'],
        unitIds: ['b'],
      }),
    ])
    expect((await api.get(YEAR, { 'x-locale': 'ro' })).body.data[0]).toMatchObject({
      availablePrograms: [
        { _id: 'b', name: 'Baie' },
        { _id: 'unknown', name: 'unknown' },
        { _id: 'a', name: 'Air' },
      ],
      availableUnits: [{ _id: 'b', name: 'Not a program' }],
    })
  })
  it('ruling 15: startDate and endDate are UTC with milliseconds in every language', async () => {
    const api = await service.newCenter([session('s1', '2025-06-06T12:00', '2025-06-12T12:00:00.5')])
    expect((await api.get(YEAR, { 'x-locale': 'no' })).body.data[0]).toMatchObject({
      startDate: '2025-06-06T09:00:00.000Z',
      endDate: '2025-06-12T09:00:00.500Z',
    })
  })

  describe('in range', () => {
    let api: Asker
    beforeAll(async () => {
      api = await service.newCenter([
        session('year', '2024-01-01T12:00', '2025-12-31T12:00'),
        session('january', '2025-01-06T12:00', '2025-01-31T12:00'),
        session('last-day', '2025-01-31T23:59', '2025-02-10T12:00'),
        session('to-midnight', '2025-02-01T12:00', '2025-02-15T00:00'),
        session('february', '2025-02-16T00:00', '2025-02-20T12:00'),
      ])
    })
    it('ruling 14: a session is in range when any part of it is', async () => {
      expect(await ids(api, range('2025-01-20', '2025-01-25'))).toEqual(['year', 'january'])
      expect(await ids(api, range('2025-02-17', '2025-03-01'))).toEqual(['year', 'february'])
      expect(await ids(api, range('2026-01-01', '2026-12-31'))).toEqual([])
    })
    it('ruling 14: a session that begins on the last day of a range is in it', async () => {
      expect(await ids(api, range('2025-01-01', '2025-01-31'))).toEqual(['year', 'january', 'last-day'])
      expect(await ids(api, range('2025-01-01', '2025-01-30'))).toEqual(['year', 'january'])
    })
    it('ruling 14: a session that ends at midnight is in the range that begins with it', async () => {
      expect(await ids(api, range('2025-02-15', '2025-02-15'))).toEqual(['year', 'to-midnight'])
    })
    it('ruling 13: full timestamps are moments', async () => {
      expect(await ids(api, range('2025-01-31T10:00:00Z', '2025-01-31T21:58:59Z'))).toEqual([
        'year',
        'january',
      ])
      expect(await ids(api, range('2025-01-31T10:00:00.001Z', '2025-01-31T21:59:00Z'))).toEqual([
        'year',
        'last-day',
      ])
      expect(await ids(api, range('2025-01-31T12:00:00+02:00', '2025-01-31T12:00:00+02:00'))).toEqual([
        'year',
        'january',
      ])
    })
    it('ruling 12: a moment without offset is the center’s local time', async () => {
      expect(await ids(api, range('2025-01-31T12:00', '2025-01-31T23:58'))).toEqual(['year', 'january'])
    })
    it('ruling 12: days are the center’s own, east and west of UTC', async () => {
      const records = [session('s', '2025-01-10T22:30:00Z', '2025-01-10T23:00:00Z')]
      const east = await service.newCenter(records, { timezone: 'Pacific/Kiritimati' })
      const west = await service.newCenter(records, { timezone: 'Pacific/Pago_Pago' })
      expect(await ids(east, range('2025-01-11', '2025-01-11'))).toEqual(['s'])
      expect(await ids(east, range('2025-01-10', '2025-01-10'))).toEqual([])
      expect(await ids(west, range('2025-01-10', '2025-01-10'))).toEqual(['s'])
      expect(await ids(west, range('2025-01-11', '2025-01-11'))).toEqual([])
    })
  })

  describe('in pages', () => {
    let api: Asker
    beforeAll(async () => {
      api = await service.newCenter(
        Array.from({ length: 61 }, (_, n) =>
          session(
            `s${String(n).padStart(2, '0')}`,
            new Date(Date.UTC(2025, 0, 5 + n)).toISOString(),
            new Date(Date.UTC(2025, 0, 8 + n)).toISOString(),
          ),
        ),
      )
    })
    it('interface, GET /sessions: 50 a page unless asked otherwise, and total counts all', async () => {
      const answer = await api.get(YEAR)
      expect(answer.body.data).toHaveLength(50)
      expect(answer.body.total).toBe(61)
      expect((await api.get(`${YEAR}&start=2`)).body.data).toHaveLength(11)
    })
    it('ruling 18: all pages give every session once, by startDate, then identifier', async () => {
      const found: unknown[] = []
      for (let start = 1; start <= 9; start++)
        found.push(...(await ids(api, `${YEAR}&start=${start}&length=7`)))
      expect(found).toEqual(Array.from({ length: 61 }, (_, n) => `s${String(n).padStart(2, '0')}`))
      const same = await service.newCenter(
        ['b', 'B', 'a', '10', '9'].map((id) => session(id, '2025-01-06T12:00', '2025-01-12T12:00')),
      )
      expect(await ids(same, YEAR)).toEqual(['10', '9', 'B', 'a', 'b'])
    })
    it('ruling 19: a center’s maximum holds for sessions, as a default too', async () => {
      const own = await service.newCenter(
        ['a', 'b', 'c'].map((id) => session(id, '2025-01-06T12:00', '2025-01-12T12:00')),
        { maximumPageLength: 2 },
      )
      expect(await ids(own, YEAR)).toEqual(['a', 'b'])
      expect((await own.get(`${YEAR}&length=3`)).status).toBe(400)
    })
  })
})

describe('400', () => {
  it.each([
    ['/v1/sessions', ['startDate']],
    ['/v1/sessions?startDate=2025-01-01', ['endDate']],
    ['/v1/sessions?endDate=2025-01-31', ['startDate']],
    ['/v1/sessions?start=1', ['startDate']],
  ])('ruling 10: GET %s lacks a date and is a 400', async (url, missing) => {
    const answer = await service.get(url)
    expect(answer.status).toBe(400)
    expect(answer.body.error.code).toBe('INVALID_PARAMETER')
    expect(namedParameters(answer)).toEqual(missing)
  })
  it.each(['2025-02-30', 'now', 'infinity', '2025-01-01T10:00:00+99:00', '2025-01-01\u0000', 'ab\ud800'])(
    'ruling 11: %j is no date, never a 500',
    async (text) => {
      const answer = await service.get(range(text, '2025-12-31'))
      expect(answer.status).toBe(400)
      expect(namedParameters(answer)).toEqual(['startDate'])
    },
  )
  it('ruling 11: start after end is a 400', async () => {
    expect((await service.get(range('2025-02-01', '2025-01-31'))).status).toBe(400)
  })
  it.each(['sessionId=s1', 'role=patient', 'project=name', 'formatDates=true'])(
    'ruling 9: %s is no parameter of sessions',
    async (query) => {
      expect((await service.get(`${YEAR}&${query}`)).status).toBe(400)
    },
  )
})
