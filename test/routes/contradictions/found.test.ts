/** Each kind of contradiction with a near miss: what is found, and what is not (rulings 43, 44 and 50). */
import { beforeAll, describe, expect, it } from 'vitest'
import { startTestApi, type TestApi } from '../../support/api.ts'
import {
  booking,
  customer,
  metaField,
  order,
  session,
  type spa,
  stay,
  type TestRecord,
  term,
} from '../../support/world.ts'
import { evaluatorOf, inShort, listed, NOW } from './center.ts'

let api: TestApi
beforeAll(async () => {
  api = await startTestApi({ now: NOW })
})

/** What is found in these records of a center of their own. */
async function foundIn(records: readonly TestRecord[], fields: Parameters<typeof spa>[0] = {}) {
  const center = await api.newCenter(records, fields)
  await evaluatorOf(api).look()
  const answer = await center.get('/v1/contradictions')
  expect(answer.status).toBe(200)
  expect(answer.body.complete).toBe(true)
  return { short: inShort(answer), all: listed(answer), answer }
}

const from = (start: string, end: string) => ({ startDate: start, endDate: end })

const person = (id: string, fields: Record<string, unknown>): TestRecord[] => [
  customer(`c-${id}`, fields),
  booking(id, { startDate: '2025-03-01T14:00', endDate: '2025-03-05T10:00' }),
]

describe('samePersonTwice', () => {
  const ana = { firstName: 'Ana-Maria', lastName: 'Ionescu', dob: '1980-05-03', email: 'ana@example.com' }

  it.each([
    ['the same date of birth', { ...ana, email: 'other@example.com' }],
    ['another spelling', { ...ana, firstName: 'ANA MARIA', lastName: 'Ionéscu', email: undefined }],
    ['a typing error, and the same address', { ...ana, firstName: 'Ana-Mria', email: 'ANA@example.com' }],
    ['day and month exchanged, and the same address', { ...ana, dob: '1980-03-05' }],
    ['an unknown date of birth, and the same address', { ...ana, dob: undefined }],
    ['names exchanged', { ...ana, firstName: 'Ionescu', lastName: 'Ana-Maria', email: undefined }],
  ])('is found by name and %s', async (_, other) => {
    const { short, all } = await foundIn([...person('a', ana), ...person('b', other)])
    expect(short).toEqual(['samePersonTwice a b'])
    expect(all[0]?.evidence.compared.map(({ field }) => field)).toContain('dob')
    expect(all[0]?.severity).toBe('medium')
  })

  it('is found by name and phone number, in any notation', async () => {
    const one = { firstName: 'Ion', lastName: 'Pop', phone: '+40 721 000 111' }
    const { short } = await foundIn([
      ...person('a', one),
      ...person('b', { firstName: 'Ion', lastName: 'Popp', secondaryPhone: '0721/000111' }),
    ])
    expect(short).toEqual(['samePersonTwice a b'])
  })

  it.each([
    ['a twin with the same address', { ...ana, firstName: 'Elena' }],
    ['a mother with the same name and address', { ...ana, dob: '1952-11-20' }],
    ['a daughter born on the same day 30 years later', { ...ana, dob: '2010-05-03' }],
    ['a namesake', { firstName: 'Ana-Maria', lastName: 'Ionescu', email: 'another@example.com' }],
    ['a namesake of another age with another address', { ...ana, dob: '1980-05-04', email: 'x@example.com' }],
    ['a husband with the same address', { ...ana, firstName: 'Mihai', dob: '1979-02-01' }],
  ])('does not report %s', async (_, other) => {
    expect((await foundIn([...person('a', ana), ...person('b', other)])).short).toEqual([])
  })

  it('does not report a customer without bookings, and does when the first one comes', async () => {
    const center = await api.newCenter([...person('a', ana), customer('c-b', ana)])
    const evaluator = evaluatorOf(api)
    await evaluator.look()
    expect(inShort(await center.get('/v1/contradictions'))).toEqual([])
    await api.load([{ ...booking('b', from('2025-06-01T14:00', '2025-06-05T10:00')), centerId: center.id }])
    await evaluator.look()
    expect(inShort(await center.get('/v1/contradictions'))).toEqual(['samePersonTwice a b'])
  })
})

/** Two bookings of one customer. */
const twice = (one: Record<string, unknown>, other: Record<string, unknown>): TestRecord[] => [
  customer('c', { firstName: 'Ion' }),
  booking('a', { customerId: 'c', ...one }),
  booking('b', { customerId: 'c', ...other }),
]
describe('overlappingStays', () => {
  it('ruling 50: are two active bookings of one customer that share a night', async () => {
    const { short, all } = await foundIn(
      twice(from('2025-01-10T14:00', '2025-01-15T10:00'), from('2025-01-14T14:00', '2025-01-20T10:00')),
    )
    expect(short).toEqual(['overlappingStays a b'])
    expect(all[0]?.evidence.compared[0]).toEqual({
      field: 'startDate',
      values: ['2025-01-10T12:00:00.000Z', '2025-01-14T12:00:00.000Z'],
    })
  })

  it.each([
    ['one after the other', from('2025-01-15T14:00', '2025-01-20T10:00')],
    ['an arrival without an hour on the day of departure', from('2025-01-15', '2025-01-20T10:00')],
    ['a cancelled one', { ...from('2025-01-12T14:00', '2025-01-20T10:00'), status: 'cancelled' }],
    ['an offer', { ...from('2025-01-12T14:00', '2025-01-20T10:00'), status: 'offer' }],
  ])('are not reported for %s', async (_, other) => {
    expect((await foundIn(twice(from('2025-01-10T14:00', '2025-01-15T10:00'), other))).short).toEqual([])
  })

  it('ruling 43: are found by known hours within a day', async () => {
    const records = twice(
      from('2025-01-10T14:00', '2025-01-15T18:00'),
      from('2025-01-15T15:00', '2025-01-20T10:00'),
    )
    expect((await foundIn(records)).short).toEqual(['overlappingStays a b'])
    const standard = { mealRules: { standardTimes: { arrival: ['15:00'] } } }
    expect((await foundIn(records, standard)).short).toEqual([])
  })
})

describe('roomOverfull', () => {
  const room = term('room', 'r1', 'Lake view', { beds: 2 })
  const other = term('room', 'r2', 'Garden view', { beds: 1 })
  const inRoom = (id: string, start: string, end: string, fields: Record<string, unknown> = {}) =>
    stay(id, start, end, { acc: { roomId: 'r1' }, ...fields }).map((record) =>
      record.kind === 'customer' ? { ...record, firstName: id } : record,
    )
  const two = [...inRoom('a', '2025-01-10', '2025-01-15'), ...inRoom('b', '2025-01-10', '2025-01-15')]

  it('is more people on a night than beds, with the nights', async () => {
    const { short, all } = await foundIn([room, ...two, ...inRoom('c', '2025-01-12', '2025-01-20')])
    expect(short).toEqual(['roomOverfull r1 a b c'])
    expect(all[0]?.evidence.records[0]).toEqual({ kind: 'room', id: 'r1', name: 'Lake view' })
    expect(all[0]?.evidence.compared).toEqual([
      { field: 'beds', values: [2, null, null, null] },
      { field: 'people', values: [3, null, null, null] },
      { field: 'nights', values: [['2025-01-12/2025-01-15'], null, null, null] },
    ])
  })

  it.each<[string, TestRecord[]]>([
    ['the next guest arrives on the day of departure', inRoom('c', '2025-01-15', '2025-01-20')],
    ['the third is cancelled', inRoom('c', '2025-01-12', '2025-01-20', { status: 'cancelled' })],
    ['the third is in another room', inRoom('c', '2025-01-12', '2025-01-20', { acc: { roomId: 'r2' } })],
    [
      'the third has a room of unknown beds',
      inRoom('c', '2025-01-12', '2025-01-20', { acc: { roomId: 'r3' } }),
    ],
    [
      'one person is booked twice',
      [
        booking('c', {
          ...from('2025-01-15T14:00', '2025-01-16T10:00'),
          customerId: 'c-a',
          acc: { roomId: 'r1' },
        }),
      ],
    ],
  ])('is not reported if %s', async (_, third) => {
    expect((await foundIn([room, other, ...two, ...third])).short).toEqual([])
  })

  it('counts each guest in the room of the night, if a stay is in several rooms', async () => {
    const moving = (day: string) =>
      inRoom('c', '2025-01-10', '2025-01-20', {
        acc: { roomId: 'r2' },
        accSegments: [
          { from: '2025-01-10', until: day, roomId: 'r2' },
          { from: day, until: '2025-01-20', roomId: 'r1' },
        ],
      })
    expect((await foundIn([room, other, ...two, ...moving('2025-01-15')])).short).toEqual([])
    const { short, all } = await foundIn([room, other, ...two, ...moving('2025-01-13')])
    expect(short).toEqual(['roomOverfull r1 a b c'])
    expect(all[0]?.evidence.compared.at(-1)?.values[0]).toEqual(['2025-01-13/2025-01-15'])
  })

  it('follows the groups when somebody joins in the middle, and when the beds change', async () => {
    const center = await api.newCenter([room, ...two, ...inRoom('c', '2025-01-10', '2025-01-15')])
    const look = async (records: readonly TestRecord[]) => {
      await api.load(records.map((record) => ({ ...record, centerId: center.id })))
      await evaluatorOf(api).look()
      return listed(await center.get('/v1/contradictions')).map(({ evidence }) =>
        [evidence.records.map(({ id }) => id).join(' '), evidence.compared.at(-1)?.values[0]].join(': '),
      )
    }
    expect(await look([])).toEqual(['r1 a b c: 2025-01-10/2025-01-15'])
    expect((await look(inRoom('d', '2025-01-12', '2025-01-13'))).toSorted()).toEqual([
      'r1 a b c d: 2025-01-12/2025-01-13',
      'r1 a b c: 2025-01-10/2025-01-12,2025-01-13/2025-01-15',
    ])
    expect(await look([{ kind: 'booking', id: 'd', deleted: true }])).toEqual([
      'r1 a b c: 2025-01-10/2025-01-15',
    ])
    expect(await look([{ ...room, beds: 3 }])).toEqual([])
  })
})

describe('sessionsAtOneTime', () => {
  const sessions = [
    session('s1', '2025-01-10T10:00', '2025-01-20T10:00'),
    session('s2', '2025-01-15T10:00', '2025-01-25T10:00'),
    session('s3', '2025-01-20T10:00', '2025-01-30T10:00'),
  ]
  const in1 = { ...from('2025-01-10T14:00', '2025-01-15T09:00'), sessionIds: ['s1'] }

  it('are two sessions of different bookings that overlap', async () => {
    const other = { ...from('2025-01-20T14:00', '2025-01-24T10:00'), sessionIds: ['s2'] }
    const { short } = await foundIn([...sessions, ...twice(in1, other)])
    expect(short).toEqual(['sessionsAtOneTime a b'])
  })

  it('are not reported for sessions one after the other, nor for one session in two bookings', async () => {
    const after = { ...from('2025-01-20T14:00', '2025-01-24T10:00'), sessionIds: ['s3'] }
    expect((await foundIn([...sessions, ...twice(in1, after)])).short).toEqual([])
    const same = { ...from('2025-01-16T14:00', '2025-01-18T10:00'), sessionIds: ['s1'] }
    expect((await foundIn([...sessions, ...twice(in1, same)])).short).toEqual([])
  })
})

describe('allergiesDiffer', () => {
  const rules = {
    mealRules: {
      dietFields: [
        {
          field: 'diet',
          values: [
            { value: 'nuts', otherSpellings: ['noix'], isAllergy: true },
            { value: 'milk', isAllergy: true },
            { value: 'vegan' },
            { value: 'none', isNone: true },
          ],
        },
      ],
    },
  }
  const differ = (one: string | null, other: string | null) =>
    foundIn(
      [
        metaField('diet', { of: 'booking' }),
        ...twice(
          {
            ...from('2025-01-10T14:00', '2025-01-15T10:00'),
            ...(one === null ? {} : { meta: { diet: one } }),
          },
          {
            ...from('2025-02-10T14:00', '2025-02-15T10:00'),
            ...(other === null ? {} : { meta: { diet: other } }),
          },
        ),
      ],
      rules,
    )

  it.each([
    ['nuts', 'none'],
    ['nuts', 'milk'],
    ['nuts, vegan', 'vegan'],
    ['nuts', 'nuts, milk'],
  ])('ruling 44: are %s and %s', async (one, other) => {
    const { short, all } = await differ(one, other)
    expect(short).toEqual(['allergiesDiffer a b'])
    expect(all[0]?.severity).toBe('high')
    expect(all[0]?.evidence.compared.map(({ field }) => field)).toEqual(['meta.diet'])
  })

  it.each([
    ['nuts', null],
    ['nuts', 'Noix'],
    ['nuts', 'nuts, vegan'],
    ['vegan', 'none'],
  ])('are not %s and %s', async (one, other) => {
    expect((await differ(one, other)).short).toEqual([])
  })
})

describe('of one booking', () => {
  it('arrivedWithoutIdentifier, only with automatic identifiers', async () => {
    const records = stay('a', '2025-01-10', '2025-01-15', { status: 'arrived' })
    expect((await foundIn(records, { automaticBookingIds: true })).short).toEqual([
      'arrivedWithoutIdentifier a',
    ])
    expect((await foundIn(records)).short).toEqual([])
    const numbered = stay('a', '2025-01-10', '2025-01-15', { status: 'arrived', bookingId: '25-1-01' })
    expect((await foundIn(numbered, { automaticBookingIds: true })).short).toEqual([])
  })

  it('departedInFuture, until the day on which the stay ends', async () => {
    expect((await foundIn(stay('a', '2025-01-10', '2025-01-13', { status: 'departed' }))).short).toEqual([
      'departedInFuture a',
    ])
    expect((await foundIn(stay('a', '2025-01-10', '2025-01-12', { status: 'departed' }))).short).toEqual([])
  })

  it('stayOutsideSession, if the stay has no day of one of its sessions', async () => {
    const sessions = [
      session('s1', '2025-01-10T10:00', '2025-01-15T10:00'),
      session('s2', '2025-02-10T10:00', '2025-02-15T10:00'),
    ]
    const inBoth = stay('a', '2025-01-10', '2025-01-15', { sessionIds: ['s1', 's2'] })
    expect((await foundIn([...sessions, ...inBoth])).short).toEqual(['stayOutsideSession a'])
    const early = stay('a', '2025-01-05', '2025-01-10', { sessionIds: ['s1'] })
    expect((await foundIn([...sessions, ...early])).short).toEqual([])
  })
})

describe('of money', () => {
  const deposit = (fields: Record<string, unknown> = {}) => ({
    financial: { deposit: { amount: 50, paidAt: '2025-01-02T10:00', paymentType: 'cash', ...fields } },
  })
  const two = (one: object, other: object) => [
    order('o', { totalAmount: 0 }),
    ...stay('a', '2025-01-10', '2025-01-15', { orderUuid: 'o', isOrderMainGuest: true, ...one }),
    ...stay('b', '2025-01-10', '2025-01-15', { orderUuid: 'o', ...other }),
  ]
  const people = (records: TestRecord[]) =>
    records.map((record) =>
      record.kind === 'customer' ? { ...record, firstName: String(record.id) } : record,
    )

  it('depositTwice: amount, moment and payment type are the same within an order', async () => {
    expect((await foundIn(people(two(deposit(), deposit())))).short).toEqual(['depositTwice a b'])
  })

  it.each([
    ['another amount', { amount: 51 }],
    ['another moment', { paidAt: '2025-01-03T10:00' }],
    ['another payment type', { paymentType: 'card' }],
    ['no moment', { paidAt: null }],
  ])('is not a deposit with %s', async (_, fields) => {
    expect((await foundIn(people(two(deposit(), deposit(fields))))).short).toEqual([])
  })

  it('orderDoesNotAddUp and paymentDoesNotFit, as the control of orders knows them', async () => {
    const items = [{ itemId: 'i', name: 'Room', quantity: 2, price: 40 }]
    const { short, all } = await foundIn([
      order('o', { totalAmount: 100, items, paymentStatus: 'paid' }),
      ...stay('a', '2025-01-10', '2025-01-15', { orderUuid: 'o', isOrderMainGuest: true }),
    ])
    expect(short).toEqual(['orderDoesNotAddUp o', 'paymentDoesNotFit o'])
    const total = all.find(({ kind }) => kind === 'orderDoesNotAddUp')
    expect(total?.evidence.compared).toContainEqual({ field: 'totalAmount', values: [100] })
  })

  it('guestWithoutOrder and orderWithoutGuests only if the center wants them', async () => {
    const records = [order('o'), ...stay('a', '2025-01-10', '2025-01-15')]
    expect((await foundIn(records)).short).toEqual([])
    const wanted = { contradictionKinds: { guestWithoutOrder: true, orderWithoutGuests: true } }
    expect((await foundIn(records, wanted)).short).toEqual(['guestWithoutOrder a', 'orderWithoutGuests o'])
  })
})

it('says which kinds the center has switched off, and does not list them', async () => {
  const records = twice(
    from('2025-01-10T14:00', '2025-01-15T10:00'),
    from('2025-01-14T14:00', '2025-01-20T10:00'),
  )
  const { short, answer } = await foundIn(records, { contradictionKinds: { overlappingStays: false } })
  expect(short).toEqual([])
  expect(answer.body.notReported).toEqual(['overlappingStays', 'guestWithoutOrder', 'orderWithoutGuests'])
})
