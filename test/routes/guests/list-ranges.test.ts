/** Rulings 11 to 14 where days are hard: zones, changes of the clock, midnight, bounds of all kinds. */
import { beforeAll, describe, expect, it } from 'vitest'
import { guestIds, namedParameters, startTestApi, type TestApi } from '../../support/api.ts'
import { guest, stay, type TestRecord } from '../../support/world.ts'

let service: TestApi
beforeAll(async () => {
  service = await startTestApi()
})

const range = (startDate: string, endDate: string) =>
  `startDate=${encodeURIComponent(startDate)}&endDate=${encodeURIComponent(endDate)}`

/** A guest there from one moment to another, exactly. */
const there = (id: string, startDate: string, endDate: string): TestRecord[] =>
  guest(id, { startDate, endDate })

describe('200', () => {
  it('ruling 14: a stay is in range when any part of it is', async () => {
    const api = await service.newCenter([
      ...stay('before', '2024-12-20', '2024-12-31'),
      ...stay('into', '2024-12-28', '2025-01-01'),
      ...stay('all-over', '2024-12-28', '2025-02-05'),
      ...stay('inside', '2025-01-10', '2025-01-15'),
      ...stay('out-of', '2025-01-31', '2025-02-05'),
      ...stay('after', '2025-02-01', '2025-02-05'),
    ])
    expect(await guestIds(api, range('2025-01-01', '2025-01-31'))).toEqual([
      'all-over',
      'into',
      'inside',
      'out-of',
    ])
  })

  it('ruling 14: month by month, nothing is missed and a stay across the boundary is in both months', async () => {
    const api = await service.newCenter(stay('both', '2025-01-30', '2025-02-02'))
    expect(await guestIds(api, range('2025-01-01', '2025-01-31'))).toEqual(['both'])
    expect(await guestIds(api, range('2025-02-01', '2025-02-28'))).toEqual(['both'])
    expect(await guestIds(api, range('2025-03-01', '2025-03-31'))).toEqual([])
  })

  it('ruling 14: a stay of many months is found in every one of them', async () => {
    const api = await service.newCenter(stay('long', '2024-03-15', '2025-09-15'))
    for (const [from, to] of [
      ['2024-03-01', '2024-03-31'],
      ['2024-04-10', '2024-04-10'],
      ['2024-12-01', '2025-01-31'],
      ['2025-09-15', '2025-09-30'],
      ['2020-01-01', '2030-12-31'],
    ] as const) {
      expect(await guestIds(api, range(from, to)), `${from} to ${to}`).toEqual(['long'])
    }
    expect(await guestIds(api, range('2024-01-01', '2024-03-14'))).toEqual([])
    expect(await guestIds(api, range('2025-09-16', '2025-12-31'))).toEqual([])
  })

  it('ruling 14: stays of 30, 31, 32 and 33 days are found from their last day', async () => {
    const api = await service.newCenter(
      [30, 31, 32, 33].flatMap((days) =>
        guest(`d${days}`, {
          startDate: new Date(Date.UTC(2025, 4, 31) - days * 86_400_000).toISOString(),
          endDate: '2025-05-31T00:00:00Z',
        }),
      ),
    )
    // At exactly the end, and one millisecond beyond it.
    expect(await guestIds(api, range('2025-05-31T00:00:00Z', '2025-06-30'))).toEqual([
      'd33',
      'd32',
      'd31',
      'd30',
    ])
    expect(await guestIds(api, range('2025-05-31T00:00:00.001Z', '2025-06-30'))).toEqual([])
  })

  it('ruling 18: a stay that began 30 to 31 days before the range comes once, be it longer than a month or not', async () => {
    const began = new Date(Date.UTC(2025, 4, 31) - 30.5 * 86_400_000).toISOString()
    const api = await service.newCenter([
      ...guest('short', { startDate: began, endDate: '2025-05-31T06:00:00Z' }),
      ...guest('long', { startDate: began, endDate: '2025-06-15T06:00:00Z' }),
    ])
    expect(await guestIds(api, range('2025-05-31T00:00:00Z', '2025-06-30'))).toEqual(['long', 'short'])
  })

  it('ruling 14: a long stay over the night the clocks change is found from its last hour', async () => {
    const api = await service.newCenter([
      ...there('march', '2025-03-10T00:00', '2025-04-10T00:00'),
      ...there('october', '2025-10-10T00:00', '2025-11-10T00:00'),
    ])
    expect(await guestIds(api, range('2025-04-10', '2025-04-10'))).toEqual(['march'])
    expect(await guestIds(api, range('2025-11-10', '2025-11-10'))).toEqual(['october'])
    expect(await guestIds(api, range('2025-04-11', '2025-04-11'))).toEqual([])
    expect(await guestIds(api, range('2025-11-11', '2025-11-11'))).toEqual([])
  })

  it('ruling 14: a stay that ends at midnight is still there at the first moment of the day it ends', async () => {
    const api = await service.newCenter(
      guest('midnight', { startDate: '2025-01-10T14:00', endDate: '2025-01-15T00:00' }),
    )
    expect(await guestIds(api, range('2025-01-14', '2025-01-14'))).toEqual(['midnight'])
    expect(await guestIds(api, range('2025-01-15', '2025-01-15'))).toEqual(['midnight'])
    expect(await guestIds(api, range('2025-01-16', '2025-01-16'))).toEqual([])
    expect(await guestIds(api, range('2025-01-15T00:00:00.001', '2025-01-16'))).toEqual([])
  })

  it('ruling 14: a stay of no length is in the range that holds its moment', async () => {
    const api = await service.newCenter(
      guest('moment', { startDate: '2025-01-10T12:00', endDate: '2025-01-10T12:00' }),
    )
    expect(await guestIds(api, range('2025-01-10', '2025-01-10'))).toEqual(['moment'])
    expect(await guestIds(api, range('2025-01-10T12:00', '2025-01-10T12:00'))).toEqual(['moment'])
    expect(await guestIds(api, range('2025-01-10T12:01', '2025-01-11'))).toEqual([])
  })

  it('ruling 12: a bare date is the start of the local day below and its end above', async () => {
    const api = await service.newCenter([
      ...guest('ends-first-ms', { startDate: '2025-01-01T00:00', endDate: '2025-01-10T00:00' }),
      ...guest('begins-last-ms', { startDate: '2025-01-10T23:59:59.999', endDate: '2025-01-20T00:00' }),
      ...guest('ends-too-early', { startDate: '2025-01-01T00:00', endDate: '2025-01-09T23:59:59.999' }),
      ...guest('begins-too-late', { startDate: '2025-01-11T00:00', endDate: '2025-01-20T00:00' }),
    ])
    expect(await guestIds(api, range('2025-01-10', '2025-01-10'))).toEqual([
      'ends-first-ms',
      'begins-last-ms',
    ])
  })

  it('ruling 12: the last microsecond of a day belongs to it, finer than the service shows', async () => {
    const api = await service.newCenter(guest('late', {}))
    await service.database.runScript(
      `update bookings set start_date = '2025-01-10T21:59:59.999999Z', end_date = '2025-01-12T10:00Z' where id = 'late'`,
    )
    expect(await guestIds(api, range('2025-01-01', '2025-01-10'))).toEqual(['late'])
    expect(await guestIds(api, range('2025-01-01', '2025-01-09'))).toEqual([])
  })

  it.each([
    ['Europe/Bucharest', '2025-01-10T22:00:00Z', '2025-01-11'],
    ['Europe/Bucharest', '2025-07-10T21:00:00Z', '2025-07-11'],
    ['America/St_Johns', '2025-01-11T03:30:00Z', '2025-01-11'],
    ['America/Los_Angeles', '2025-01-11T08:00:00Z', '2025-01-11'],
    ['Pacific/Apia', '2025-01-10T11:00:00Z', '2025-01-11'],
    ['Pacific/Kiritimati', '2025-01-10T10:00:00Z', '2025-01-11'],
    ['Pacific/Pago_Pago', '2025-01-11T11:00:00Z', '2025-01-11'],
    ['Asia/Kathmandu', '2025-01-10T18:15:00Z', '2025-01-11'],
    ['Asia/Kolkata', '2025-01-10T18:30:00Z', '2025-01-11'],
    ['Australia/Lord_Howe', '2025-07-10T13:30:00Z', '2025-07-11'],
    ['UTC', '2025-01-11T00:00:00Z', '2025-01-11'],
  ])('ruling 12: in %s the day begins at %s', async (timezone, begins, day) => {
    const first = Date.parse(begins)
    const at = (ms: number) => new Date(ms).toISOString()
    const api = await service.newCenter(
      [
        ...there('just-before', at(first - 1), at(first - 1)),
        ...there('first', at(first), at(first)),
        ...there('last', at(first + 86_399_999), at(first + 86_399_999)),
        ...there('just-after', at(first + 86_400_000), at(first + 86_400_000)),
      ],
      { timezone },
    )
    expect(await guestIds(api, range(day, day))).toEqual(['first', 'last'])
  })

  it.each([
    // clocks go forward at 03:00: a day of 23 hours
    ['Europe/Bucharest', '2025-03-30', '2025-03-29T22:00:00Z', '2025-03-30T21:00:00Z'],
    // clocks go back at 04:00: a day of 25 hours
    ['Europe/Bucharest', '2025-10-26', '2025-10-25T21:00:00Z', '2025-10-26T22:00:00Z'],
    ['America/St_Johns', '2025-03-09', '2025-03-09T03:30:00Z', '2025-03-10T02:30:00Z'],
    ['America/St_Johns', '2025-11-02', '2025-11-02T02:30:00Z', '2025-11-03T03:30:00Z'],
    // half an hour only
    ['Australia/Lord_Howe', '2025-04-06', '2025-04-05T13:00:00Z', '2025-04-06T13:30:00Z'],
    // midnight itself is skipped: the day begins at 01:00
    ['America/Santiago', '2025-09-07', '2025-09-07T04:00:00Z', '2025-09-08T03:00:00Z'],
    // midnight comes twice: the first of the two begins the day
    ['America/Havana', '2025-11-02', '2025-11-02T04:00:00Z', '2025-11-03T05:00:00Z'],
  ])(
    'ruling 12: in %s the day %s of a change of the clock is from %s to %s',
    async (timezone, day, from, to) => {
      const api = await service.newCenter(
        [
          ...there(
            'just-before',
            new Date(Date.parse(from) - 1).toISOString(),
            new Date(Date.parse(from) - 1).toISOString(),
          ),
          ...there('first', from, from),
          ...there(
            'last',
            new Date(Date.parse(to) - 1).toISOString(),
            new Date(Date.parse(to) - 1).toISOString(),
          ),
          ...there('just-after', to, to),
        ],
        { timezone },
      )
      expect(await guestIds(api, range(day, day))).toEqual(['first', 'last'])
    },
  )

  it('ruling 11: the day that Apia skipped is a day that exists and holds nobody', async () => {
    const api = await service.newCenter(
      [
        ...there('before', '2011-12-29T12:00', '2011-12-29T13:00'),
        ...there('after', '2011-12-31T12:00', '2011-12-31T13:00'),
      ],
      { timezone: 'Pacific/Apia' },
    )
    expect(await guestIds(api, range('2011-12-30', '2011-12-30'))).toEqual([])
    expect(await guestIds(api, range('2011-12-29', '2011-12-30'))).toEqual(['before'])
    expect(await guestIds(api, range('2011-12-30', '2011-12-31'))).toEqual(['after'])
  })

  it('ruling 13: full timestamps are taken, with Z, with an offset, and to the second, as moments', async () => {
    const api = await service.newCenter(
      guest('noon', { startDate: '2025-01-10T12:00:00Z', endDate: '2025-01-10T12:00:00Z' }),
    )
    expect(await guestIds(api, range('2025-01-10T12:00:00Z', '2025-01-10T12:00:00Z'))).toEqual(['noon'])
    expect(await guestIds(api, range('2025-01-10T12:00:00.000Z', '2025-01-10T12:00:00.000Z'))).toEqual([
      'noon',
    ])
    expect(await guestIds(api, range('2025-01-10T14:00:00+02:00', '2025-01-10T08:30:00-03:30'))).toEqual([
      'noon',
    ])
    expect(await guestIds(api, range('2025-01-10T12:00:00.001Z', '2025-01-11T00:00:00Z'))).toEqual([])
    expect(await guestIds(api, range('2025-01-10T00:00:00Z', '2025-01-10T11:59:59.999Z'))).toEqual([])
  })

  it('ruling 13: the + of an offset that was not escaped is still an offset', async () => {
    const api = await service.newCenter(
      guest('noon', { startDate: '2025-01-10T12:00:00Z', endDate: '2025-01-10T12:00:00Z' }),
    )
    const query = 'startDate=2025-01-10T14:00:00+02:00&endDate=2025-01-10T14:00:00+02:00'
    expect(await guestIds(api, query)).toEqual(['noon'])
  })

  it('ruling 13: a day and a moment may be combined', async () => {
    const api = await service.newCenter(stay('g', '2025-01-10', '2025-01-15'))
    expect(await guestIds(api, range('2025-01-15T09:00:00Z', '2025-01-15'))).toEqual([])
    expect(await guestIds(api, range('2025-01-01', '2025-01-10T12:00:00Z'))).toEqual(['g'])
    expect(await guestIds(api, range('2025-01-01', '2025-01-10T11:59:59Z'))).toEqual([])
  })

  it('ruling 12: a moment without offset is the center’s local time', async () => {
    const api = await service.newCenter(
      guest('local', { startDate: '2025-07-10T12:00:00Z', endDate: '2025-07-10T12:00:00Z' }),
    )
    // Bucharest is three hours before UTC in July.
    expect(await guestIds(api, range('2025-07-10T15:00:00', '2025-07-10T15:00'))).toEqual(['local'])
    expect(await guestIds(api, range('2025-07-10T15:00:01', '2025-07-10T16:00'))).toEqual([])
  })

  it('ruling 12: a local time that the clocks show twice means the first, one they skip comes an hour later', async () => {
    const api = await service.newCenter([
      ...guest('twice', { startDate: '2025-10-26T00:30:00Z', endDate: '2025-10-26T00:30:00Z' }),
      ...guest('skipped', { startDate: '2025-03-30T01:30:00Z', endDate: '2025-03-30T01:30:00Z' }),
    ])
    expect(await guestIds(api, range('2025-10-26T03:30', '2025-10-26T03:30'))).toEqual(['twice'])
    expect(await guestIds(api, range('2025-03-30T03:30', '2025-03-30T03:30'))).toEqual(['skipped'])
  })

  it('ruling 11: 29 February is a day in leap years', async () => {
    const api = await service.newCenter(
      stay('leap', '2024-02-29', '2024-02-29', { endDate: '2024-02-29T20:00' }),
    )
    expect(await guestIds(api, range('2024-02-29', '2024-02-29'))).toEqual(['leap'])
    expect(await guestIds(api, range('2024-02-28', '2024-02-28'))).toEqual([])
    expect(await guestIds(api, range('2024-03-01', '2024-03-01'))).toEqual([])
  })

  it('ruling 11: one day from start to end, and one moment, are ranges', async () => {
    const api = service
    expect((await api.get(`/v1/guests?${range('2025-01-10', '2025-01-10')}`)).status).toBe(200)
    expect((await api.get(`/v1/guests?${range('2025-01-10T10:00', '2025-01-10T10:00')}`)).status).toBe(200)
  })

  it.each(['Pacific/Kiritimati', 'Pacific/Pago_Pago'])(
    'interface, GET /guests: in %s the widest range of days is answered',
    async (timezone) => {
      const api = await service.newCenter(there('g', '2025-01-10T12:00', '2025-01-11T12:00'), { timezone })
      expect(await guestIds(api, range('0001-01-01', '9999-12-31'))).toEqual(['g'])
    },
  )
})

describe('400', () => {
  const impossible = [
    '2025-02-30',
    '2025-02-29',
    '2025-13-01',
    '2025-00-10',
    '2025-01-00',
    '2025-01-32',
    '2025-1-1',
    '20250101',
    '01/31/2025',
    '31.01.2025',
    '0000-01-01',
    '+12025-01-01',
    '-2025-01-01',
    'now',
    'tody',
    'Today',
    'today+',
    'today+1q',
    'today+9999y',
    'infinity',
    '-infinity',
    'epoch',
    '2025-01-01T',
    '2025-01-01T25:00:00Z',
    '2025-01-01T10:60:00Z',
    '2025-01-01T10:00:60Z',
    '2025-01-01T10:00:00+99:00',
    '2025-01-01T10:00:00+24:00',
    '2025-01-01T10:00:00+02:60',
    '2025-02-30T10:00:00Z',
    '2025-01-01T10:00:00Z[Europe/Bucharest]',
    '2025-W01-1',
    '2025-001',
    '1736467200000',
    '2025-01-01\u0000',
    '2025-01-01\ud800',
    ' 2025-01-01',
    '2025-01-01 ',
    'null',
    'undefined',
    '[object Object]',
    '２０２５-01-01',
    `2025-01-01${'0'.repeat(5000)}`,
  ]
  it('ruling 11: what is no day and no moment is a 400 that names the parameter, never a 500', async () => {
    const api = service
    for (const text of impossible) {
      const query = new URLSearchParams({ startDate: text, endDate: '2025-12-31' })
      const answer = await api.get(`/v1/guests?${query}`)
      expect(answer.status, text).toBe(400)
      expect(namedParameters(answer), text).toEqual(['startDate'])
      const upper = await api.get(
        `/v1/guests?${new URLSearchParams({ startDate: '2025-01-01', endDate: text })}`,
      )
      expect(upper.status, text).toBe(400)
      expect(namedParameters(upper), text).toEqual(['endDate'])
    }
  })

  it('ruling 11: bytes that are no UTF-8 are a 400', async () => {
    const api = service
    expect((await api.get('/v1/guests?startDate=2025-01-01%FF&endDate=2025-01-31')).status).toBe(400)
    expect((await api.get('/v1/guests?startDate=%&endDate=2025-01-31')).status).toBe(400)
    expect((await api.get('/v1/guests?sessionId=%ED%A0%80')).status).toBe(400)
  })

  it('ruling 11: start after end is a 400 that shows both', async () => {
    const api = service
    for (const [from, to] of [
      ['2025-01-31', '2025-01-01'],
      ['2025-01-10T10:00:00Z', '2025-01-10T09:59:59Z'],
      ['2025-01-10T10:00:00+02:00', '2025-01-10T07:59:59Z'],
      ['2025-01-11', '2025-01-10T10:00:00Z'],
    ] as const) {
      const answer = await api.get(`/v1/guests?${range(from, to)}`)
      expect(answer.status, `${from} ${to}`).toBe(400)
      expect(answer.body.error.message).toContain(from)
      expect(answer.body.error.message).toContain(to)
    }
  })

  it('ruling 11: start after end is a 400 with a session filter too', async () => {
    const api = service
    expect((await api.get(`/v1/guests?sessionId=s1&${range('2025-01-31', '2025-01-01')}`)).status).toBe(400)
  })
})
