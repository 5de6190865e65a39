/**
 * Plants contradictions of each kind, and near misses, among records that are there: each with customers, bookings and
 * orders of its own, derived from a booking of the records, so that names, dates and amounts are theirs.
 */
import type { ContradictionKind } from '../../src/core/records/centers/contradiction-kinds.ts'
import { type Random, seededRandom } from './random-center.ts'
import type { TestRecord } from './world.ts'

/** A planted contradiction, or a near miss: what a list must contain, or must not. */
export interface Planted {
  readonly kind: ContradictionKind
  /** guests, or an order */
  readonly ids: readonly string[]
  readonly how: string
}

export interface Plants {
  /** to be imported after the records */
  readonly records: readonly TestRecord[]
  readonly contradictions: readonly Planted[]
  readonly nearMisses: readonly Planted[]
}

/** A booking of the records, with its customer. */
export interface Base {
  readonly booking: TestRecord
  readonly customer: TestRecord
}

type Fields = Readonly<Record<string, unknown>>

/** One thing that is planted: its records, and the identifiers that the contradiction is about. */
interface Plant {
  readonly records: readonly TestRecord[]
  readonly ids: readonly string[]
  readonly how: string
}

interface Ground extends Base {
  readonly center: string
  /** unique among all plants */
  readonly id: string
  /** `YYYY-MM-DD` */
  readonly today: string
  readonly random: Random
}

/** The settings of a center that plants need. */
export const PLANTED_CENTER: Fields = {
  automaticBookingIds: true,
  contradictionKinds: { guestWithoutOrder: true, orderWithoutGuests: true },
  mealRules: {
    standardTimes: { arrival: ['15:00', '14:00'], departure: ['10:00', '11:00'] },
    dietFields: [
      {
        field: 'plantedDiet',
        values: [
          { value: 'nuts', otherSpellings: ['noci', 'Nüsse'], isAllergy: true },
          { value: 'milk', isAllergy: true },
          { value: 'vegan' },
          { value: 'none', isNone: true },
        ],
      },
    ],
  },
}

const addDays = (day: string, days: number): string =>
  new Date(Date.parse(`${day}T00:00:00Z`) + days * 86_400_000).toISOString().slice(0, 10)
const dayOf = ({ booking }: Base): string => String(booking.startDate).slice(0, 10)

const person = ({ center, id, customer }: Ground, at: string, fields: Fields = {}): TestRecord => ({
  kind: 'customer',
  centerId: center,
  id: `${id}-c${at}`,
  firstName: customer.firstName,
  lastName: `${String(customer.lastName)} ${letters(id)}`,
  email: `${id}.${at}@example.com`,
  dob: customer.dob,
  ...fields,
})

/** Makes the names of each plant its own. */
const letters = (id: string) =>
  [...id].map((one) => String.fromCharCode(97 + (one.charCodeAt(0) % 26))).join('')

const stay = (
  { center, id, today: _, ...ground }: Ground,
  at: string,
  [from, days]: readonly [from: string, days: number],
  fields: Fields = {},
): TestRecord => ({
  kind: 'booking',
  centerId: center,
  id: `${id}-${at}`,
  customerId: `${id}-ca`,
  role: 'patient',
  status: 'confirmed',
  startDate: `${from}T14:00`,
  endDate: `${addDays(from, days)}T10:00`,
  packageId: ground.booking.packageId,
  orderUuid: `${id}-o`,
  isOrderMainGuest: at === 'a',
  ...fields,
})

const order = ({ center, id }: Ground, fields: Fields = {}): TestRecord => ({
  kind: 'order',
  centerId: center,
  uuid: `${id}-o`,
  orderDate: '2015-01-05T12:00',
  totalAmount: 100,
  status: 'confirmed',
  items: [{ itemId: 'i', name: 'Room', quantity: 2, price: 50 }],
  ...fields,
})

const session = ({ center, id }: Ground, at: string, from: string, days: number): TestRecord => ({
  kind: 'session',
  centerId: center,
  id: `${id}-s${at}`,
  name: `Planted ${at}`,
  startDate: `${from}T12:00`,
  endDate: `${addDays(from, days)}T12:00`,
})

/** Two customers with a booking each, far apart. */
function twoPeople(ground: Ground, one: Fields, other: Fields, how: string): Plant {
  const from = dayOf(ground)
  return {
    records: [
      order(ground),
      person(ground, 'a', one),
      person(ground, 'b', other),
      stay(ground, 'a', [from, 5]),
      stay(ground, 'b', [addDays(from, 60), 5], { customerId: `${ground.id}-cb` }),
    ],
    ids: [`${ground.id}-a`, `${ground.id}-b`],
    how,
  }
}

/** Two bookings of one customer. */
function twoStays(
  ground: Ground,
  one: TestRecord,
  other: TestRecord,
  how: string,
  more: readonly TestRecord[] = [],
): Plant {
  return {
    records: [order(ground), person(ground, 'a'), ...more, one, other],
    ids: [`${ground.id}-a`, `${ground.id}-b`],
    how,
  }
}

const oneStay = (
  ground: Ground,
  booked: TestRecord,
  how: string,
  more: readonly TestRecord[] = [],
): Plant => ({
  records: [order(ground), person(ground, 'a'), ...more, booked],
  ids: [`${ground.id}-a`],
  how,
})

const ofOrder = (ground: Ground, ordered: TestRecord, guests: readonly TestRecord[], how: string): Plant => ({
  records: [person(ground, 'a'), ordered, ...guests],
  ids: [`${ground.id}-o`],
  how,
})

const swapped = (text: string, at: number) => text.slice(0, at) + text[at + 1] + text[at] + text.slice(at + 2)
const BORN = '1971-05-09'

/** How each kind is planted, and how it is missed nearly. Each entry is one of several ways. */
const WAYS: Readonly<
  Partial<
    Record<
      ContradictionKind,
      readonly [
        contradictions: readonly ((ground: Ground) => Plant)[],
        misses: readonly ((ground: Ground) => Plant)[],
      ]
    >
  >
> = {
  samePersonTwice: [
    [
      (of) => twoPeople(of, { dob: BORN }, { dob: BORN }, 'name and date of birth'),
      (of) => {
        const email = `same.${of.id}@example.com`
        const { lastName } = person(of, 'a')
        const typo = swapped(String(lastName), String(lastName).length - 3)
        return twoPeople(
          of,
          { email, dob: BORN },
          { email: email.toUpperCase(), dob: BORN, lastName: typo },
          'a typing error',
        )
      },
      (of) => {
        const phone = `+40 721 ${100_000 + of.random.below(900_000)}`
        return twoPeople(
          of,
          { phone, dob: BORN },
          { secondaryPhone: phone.replaceAll(' ', ''), dob: null },
          'a phone number',
        )
      },
      (of) => {
        const { firstName, lastName } = person(of, 'a')
        return twoPeople(
          of,
          { dob: BORN },
          { dob: BORN, firstName: lastName, lastName: firstName },
          'names exchanged',
        )
      },
      (of) => {
        const email = `same.${of.id}@example.com`
        return twoPeople(of, { email, dob: BORN }, { email, dob: '1971-09-05' }, 'day and month exchanged')
      },
    ],
    [
      (of) => {
        const email = `family.${of.id}@example.com`
        return twoPeople(
          of,
          { email, dob: BORN, firstName: 'Bartholomew' },
          { email, dob: BORN, firstName: 'Yvonne' },
          'twins',
        )
      },
      (of) => twoPeople(of, { dob: BORN }, { dob: '1943-11-27' }, 'a namesake of another age'),
      (of) => {
        const email = `family.${of.id}@example.com`
        return twoPeople(
          of,
          { email, dob: BORN },
          { email, dob: '2001-05-09' },
          'parent and child of one name and birthday',
        )
      },
      (of) => twoPeople(of, { dob: null }, { dob: null }, 'a namesake, nothing else known'),
    ],
  ],
  overlappingStays: [
    [
      (of) =>
        twoStays(of, stay(of, 'a', [dayOf(of), 6]), stay(of, 'b', [addDays(dayOf(of), 5), 4]), 'a night'),
      (of) =>
        twoStays(
          of,
          stay(of, 'a', [dayOf(of), 9]),
          stay(of, 'b', [addDays(dayOf(of), 3), 2]),
          'one within the other',
        ),
      (of) => twoStays(of, stay(of, 'a', [dayOf(of), 3]), stay(of, 'b', [dayOf(of), 3]), 'the same days'),
    ],
    [
      (of) =>
        twoStays(
          of,
          stay(of, 'a', [dayOf(of), 5]),
          stay(of, 'b', [addDays(dayOf(of), 5), 4]),
          'one after the other',
        ),
      (of) =>
        twoStays(
          of,
          stay(of, 'a', [dayOf(of), 5]),
          stay(of, 'b', [addDays(dayOf(of), 2), 4], { status: 'cancelled' }),
          'a cancelled one',
        ),
      (of) =>
        twoStays(
          of,
          stay(of, 'a', [dayOf(of), 5], { endDate: `${addDays(dayOf(of), 5)}T11:00` }),
          stay(of, 'b', [addDays(dayOf(of), 5), 4], { startDate: addDays(dayOf(of), 5) }),
          'an arrival without an hour',
        ),
    ],
  ],
  sessionsAtOneTime: [
    [
      (of) => {
        const [from, later] = [dayOf(of), addDays(dayOf(of), 7)]
        return twoStays(
          of,
          stay(of, 'a', [from, 4], { sessionIds: [`${of.id}-s1`] }),
          stay(of, 'b', [later, 4], { sessionIds: [`${of.id}-s2`] }),
          'overlap',
          [session(of, '1', from, 10), session(of, '2', addDays(from, 5), 10)],
        )
      },
    ],
    [
      (of) => {
        const [from, later] = [dayOf(of), addDays(dayOf(of), 10)]
        return twoStays(
          of,
          stay(of, 'a', [from, 4], { sessionIds: [`${of.id}-s1`] }),
          stay(of, 'b', [later, 4], { sessionIds: [`${of.id}-s2`] }),
          'one after the other',
          [session(of, '1', from, 10), session(of, '2', later, 10)],
        )
      },
      (of) => {
        const from = dayOf(of)
        return twoStays(
          of,
          stay(of, 'a', [from, 4], { sessionIds: [`${of.id}-s1`] }),
          stay(of, 'b', [addDays(from, 5), 4], { sessionIds: [`${of.id}-s1`] }),
          'one session in two stays',
          [session(of, '1', from, 10)],
        )
      },
    ],
  ],
  allergiesDiffer: [
    [
      ['nuts', 'none'],
      ['nuts', 'milk'],
      ['nuts, vegan', 'vegan'],
    ].map(
      ([one, other]) =>
        (of: Ground) =>
          allergies(of, one, other),
    ),
    [
      ['nuts', undefined],
      ['nuts', 'Noci'],
      ['vegan', 'none'],
      ['Nüsse', 'vegan; NUTS'],
    ].map(
      ([one, other]) =>
        (of: Ground) =>
          allergies(of, one, other),
    ),
  ],
  arrivedWithoutIdentifier: [
    [(of) => oneStay(of, stay(of, 'a', [dayOf(of), 5], { status: 'arrived' }), 'no session')],
    [
      (of) =>
        oneStay(
          of,
          stay(of, 'a', [dayOf(of), 5], { status: 'arrived', bookingId: `P-${of.id}` }),
          'with an identifier',
        ),
      (of) => oneStay(of, stay(of, 'a', [dayOf(of), 5], { status: 'confirmed' }), 'not arrived'),
    ],
  ],
  departedInFuture: [
    [
      (of) =>
        oneStay(
          of,
          stay(of, 'a', [addDays(of.today, -3), 4 + of.random.below(9)], { status: 'departed' }),
          'days later',
        ),
    ],
    [
      (of) => oneStay(of, stay(of, 'a', [addDays(of.today, -3), 3], { status: 'departed' }), 'today'),
      (of) =>
        oneStay(
          of,
          stay(of, 'a', [addDays(of.today, -3), 9], { status: 'arrived', bookingId: `P-${of.id}` }),
          'arrived',
        ),
    ],
  ],
  depositTwice: [
    [
      (of) => deposits(of, {}, {}, `${of.id}-ca`, 'of one customer'),
      (of) => deposits(of, {}, {}, `${of.id}-cb`, 'of one order'),
    ],
    [
      (of) => deposits(of, {}, { amount: 51 }, `${of.id}-cb`, 'another amount'),
      (of) => deposits(of, {}, { paidAt: '2015-01-03T10:00' }, `${of.id}-cb`, 'another moment'),
      (of) => deposits(of, { notes: 'receipt 1' }, { notes: 'receipt 2' }, `${of.id}-cb`, 'two receipts'),
      (of) => deposits(of, { paidAt: null }, { paidAt: null }, `${of.id}-cb`, 'no moment'),
    ],
  ],
  stayOutsideSession: [
    [
      (of) =>
        oneStay(of, stay(of, 'a', [addDays(dayOf(of), 11), 4], { sessionIds: [`${of.id}-s1`] }), 'after it', [
          session(of, '1', dayOf(of), 10),
        ]),
      (of) =>
        oneStay(
          of,
          stay(of, 'a', [addDays(dayOf(of), -6), 5], { sessionIds: [`${of.id}-s1`] }),
          'before it',
          [session(of, '1', dayOf(of), 10)],
        ),
    ],
    [
      (of) =>
        oneStay(
          of,
          stay(of, 'a', [addDays(dayOf(of), 10), 4], { sessionIds: [`${of.id}-s1`] }),
          'on its last day',
          [session(of, '1', dayOf(of), 10)],
        ),
      (of) =>
        oneStay(
          of,
          stay(of, 'a', [addDays(dayOf(of), -5), 5], { sessionIds: [`${of.id}-s1`] }),
          'until its first day',
          [session(of, '1', dayOf(of), 10)],
        ),
    ],
  ],
  orderDoesNotAddUp: [
    [
      (of) => ofOrder(of, order(of, { totalAmount: 100.01 }), [stay(of, 'a', [dayOf(of), 5])], 'a cent'),
      (of) =>
        ofOrder(of, order(of), [stay(of, 'a', [dayOf(of), 5], { isOrderMainGuest: false })], 'no main guest'),
    ],
    [
      (of) => ofOrder(of, order(of), [stay(of, 'a', [dayOf(of), 5])], 'adds up'),
      (of) => ofOrder(of, order(of, { items: [] }), [stay(of, 'a', [dayOf(of), 5])], 'no items'),
    ],
  ],
  paymentDoesNotFit: [
    [
      (of) =>
        ofOrder(
          of,
          order(of, { paymentStatus: 'paid' }),
          [stay(of, 'a', [dayOf(of), 5])],
          'paid without a payment',
        ),
      (of) =>
        ofOrder(
          of,
          order(of, { paymentStatus: 'unpaid' }),
          [stay(of, 'a', [dayOf(of), 5], { financial: { deposit: { amount: 20 } } })],
          'a deposit, but unpaid',
        ),
    ],
    [
      (of) =>
        ofOrder(
          of,
          order(of, { paymentStatus: 'paid' }),
          [stay(of, 'a', [dayOf(of), 5], { financial: { fullPayment: { amount: 100 } } })],
          'paid',
        ),
      (of) => ofOrder(of, order(of, { paymentStatus: 'unpaid' }), [stay(of, 'a', [dayOf(of), 5])], 'unpaid'),
    ],
  ],
  guestWithoutOrder: [
    [
      (of) =>
        oneStay(of, stay(of, 'a', [dayOf(of), 5], { orderUuid: null, isOrderMainGuest: null }), 'no order', [
          stay(of, 'z', [addDays(dayOf(of), 90), 2], { isOrderMainGuest: true }),
        ]),
    ],
    [
      (of) =>
        oneStay(
          of,
          stay(of, 'a', [dayOf(of), 5], { orderUuid: null, isOrderMainGuest: null, status: 'cancelled' }),
          'cancelled',
          [stay(of, 'z', [addDays(dayOf(of), 90), 2], { isOrderMainGuest: true })],
        ),
    ],
  ],
  orderWithoutGuests: [
    [(of) => ofOrder(of, order(of), [], 'no guests')],
    [
      (of) =>
        ofOrder(of, order(of), [stay(of, 'a', [dayOf(of), 5], { status: 'cancelled' })], 'a cancelled guest'),
    ],
  ],
}

function allergies(of: Ground, one: string | undefined, other: string | undefined): Plant {
  const diet = (text: string | undefined) => (text === undefined ? {} : { meta: { plantedDiet: text } })
  return twoStays(
    of,
    stay(of, 'a', [dayOf(of), 5], diet(one)),
    stay(of, 'b', [addDays(dayOf(of), 40), 5], diet(other)),
    `${one} and ${other}`,
  )
}

function deposits(of: Ground, one: Fields, other: Fields, customerId: string, how: string): Plant {
  const paid = (fields: Fields) => ({
    financial: { deposit: { amount: 50, paidAt: '2015-01-02T10:00', paymentType: 'cash', ...fields } },
  })
  return twoStays(
    of,
    stay(of, 'a', [dayOf(of), 5], paid(one)),
    stay(of, 'b', [addDays(dayOf(of), 40), 5], { ...paid(other), customerId }),
    how,
    [person(of, 'b', { firstName: 'Quentin', dob: '1951-02-03' })],
  )
}

export const PLANTED_KINDS = Object.keys(WAYS) as ContradictionKind[]

/**
 * @param bases bookings of the records; each plant takes the next one
 * @param count of contradictions, and of near misses, divided among the kinds
 * @param today `YYYY-MM-DD`, of the service's clock
 */
export function plantContradictions(
  bases: readonly Base[],
  count: number,
  today: string,
  seed: number,
): Plants {
  const random = seededRandom(seed)
  const records: TestRecord[] = []
  const planted: [contradictions: Planted[], misses: Planted[]] = [[], []]
  for (let at = 0; at < count; at += 1) {
    const kind = PLANTED_KINDS[at % PLANTED_KINDS.length] as ContradictionKind
    for (const [which, into] of planted.entries()) {
      const base = random.pick(bases)
      const ways = WAYS[kind]?.[which] ?? []
      const way = ways[Math.floor(at / PLANTED_KINDS.length) % ways.length]
      if (way === undefined) continue
      const id = `planted-${which === 0 ? 'is' : 'no'}-${at}`
      const plant = way({ ...base, center: String(base.booking.centerId), id, today, random })
      records.push(...plant.records)
      into.push({ kind, ids: plant.ids, how: plant.how })
    }
  }
  return { records, contradictions: planted[0], nearMisses: planted[1] }
}
