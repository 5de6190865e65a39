/** A center with random records, of every size and kind that a page may meet. The same seed makes the same center. */

import { BOOKING_STATUSES, ROLES } from '../../../src/core/records/fields/statuses.ts'
import { createRandom, type Random } from '../../support/random.ts'
import { type MadeSource, makeSources } from './random-sources.ts'
import { wordsOf } from './random-words.ts'
import { addDays } from './written.ts'

/** When every page is opened: Saturday, in the middle of the day in Europe. */
export const NOW = '2026-11-21T08:02:00Z'
export const TODAY = '2026-11-21'

type Fields = Readonly<Record<string, unknown>>
export type CenterRecord = Fields & { readonly kind: string }

export interface MadeCenter {
  readonly id: string
  readonly records: readonly CenterRecord[]
  /** what the kitchen learns after its sheet was printed; empty if nothing changes */
  readonly changes: readonly CenterRecord[]
  /** keys of the custom fields that are diets */
  readonly dietFields: readonly string[]
  readonly sessionIds: readonly string[]
  readonly orderUuids: readonly string[]
  /** identifiers of bookings */
  readonly guestIds: readonly string[]
  /** names that a list may be filtered by */
  readonly lastNames: readonly string[]
  /** of customers */
  readonly fullNames: readonly string[]
  /** what somebody may type into the search: names and parts of them, rooms, numbers, addresses, and what nobody has */
  readonly soughtFor: readonly string[]
  /** what delivers records besides the command that loaded the center */
  readonly sources: readonly MadeSource[]
}

const ZONES = ['Europe/Bucharest', 'Europe/Oslo', 'Europe/Lisbon', 'Asia/Tokyo', 'America/St_Johns'] as const
const CURRENCIES = ['EUR', 'RON', 'NOK', 'JPY', 'KWD'] as const
/** Guests of a center. Most houses have some dozens; every page must also hold with none and with thousands. */
const SIZES = [0, 1, 3, 12, 25, 40, 40, 60, 90, 150, 400] as const

/** `full`: a house whose guests are all there today. `thousands`: of guests, which takes some seconds to import. */
export type CenterSize = 'any' | 'full' | 'thousands'
const THOUSANDS = 3000
/** Portions of a meal have three digits, rooms have the names of their houses, and the houses have the same numbers. */
const FULL = { guests: 120, diets: 17, rooms: 20, withoutName: [1, 300, 850] } as const
const HOUSES = ['Gartenhaus', 'Haus am Park', 'Vila Mare'] as const

export function makeCenter(seed: number, at: number, sizes: CenterSize): MadeCenter {
  const id = `center-${seed}-${at}`
  const random = createRandom(seed, id)
  const isFull = sizes === 'full'
  const size = isFull ? FULL.guests : sizes === 'thousands' ? THOUSANDS : random.pick(SIZES)
  const of = <Kind extends string>(kind: Kind, fields: Fields) => ({ kind, centerId: id, ...fields })
  const words = wordsOf(random)
  const diets = makeDiets(random, of, isFull ? FULL.diets : random.whole(0, 20))
  const roomNames = isFull
    ? HOUSES.flatMap((house) => Array.from({ length: FULL.rooms }, (_, n) => `${house} ${n + 1}`))
    : Array.from({ length: random.whole(0, 60) }, () => words.room())
  const rooms = roomNames.map((name, n) => of('term', { set: 'room', id: `r${n}`, name }))
  const programs = Array.from({ length: random.whole(0, 5) }, (_, n) =>
    of('term', { set: 'program', id: `p${n}`, name: words.program() }),
  )
  const packages = [
    of('term', { set: 'package', id: 'half', name: 'Half board', meals: ['breakfast', 'dinner'] }),
    of('term', { set: 'package', id: 'room', name: 'Room only', meals: [] }),
  ]
  const packageShare = random.pick(isFull ? [0] : [0, 0, 0.2, 0.8])
  const sessions = makeSessions(random, of)
  const orders = makeOrders(random, of, Math.min(size, random.pick([0, 3, 20, 60, 250])))
  const guests = makeGuests({
    random,
    of,
    size,
    diets,
    rooms,
    programs,
    packageShare,
    sessions,
    orders,
    withoutName: isFull ? random.pick(FULL.withoutName) : undefined,
  })
  const center = {
    kind: 'center',
    id,
    name: random.pick([
      'Izvorul Alb',
      'Spa 9',
      'Kurzentrum am unteren Schlossgarten, Haus für Rehabilitation',
      '温泉',
    ]),
    timezone: random.pick(ZONES),
    currency: random.pick(CURRENCIES),
    ...(random.chance(0.2) ? { maximumPageLength: 30 } : {}),
    ...(random.chance(0.7)
      ? {
          orderRules: {
            orderStatuses: { valid: ['completed', 'confirmed'], open: ['pending'], void: ['cancelled'] },
            paymentStatuses: {
              valid: ['paid'],
              open: ['unpaid', 'partially_paid'],
              refunded: ['refunded'],
            },
          },
        }
      : {}),
    mealRules: {
      mealTimes: { breakfast: '07:30', lunch: '12:30', dinner: '18:30' },
      dietFields: diets.rules,
      ...(random.chance(0.3)
        ? { daysNotServed: { lunch: [random.pick(['sunday', 'saturday', '2026-11-22'])] } }
        : {}),
      ...(random.chance(0.2) ? { arrivalMeals: ['lunch', 'dinner'] } : {}),
      ...(random.chance(0.2) ? { alsoCookFor: ['offer'] } : {}),
      ...(random.chance(0.4)
        ? {
            cutOffs: {
              lunch: { daysBefore: 1, time: '10:00' },
              dinner: { daysBefore: random.pick([0, 1]), time: random.pick(['04:00', '12:00']) },
            },
          }
        : {}),
      ...(random.chance(0.5)
        ? {
            mealEnds: { breakfast: '10:00', lunch: '14:00', dinner: '20:45' },
            standardTimes: { arrival: ['15:00'], departure: ['11:00'] },
          }
        : {}),
    },
  }
  return {
    id,
    records: [
      center,
      ...diets.records,
      ...rooms,
      ...programs,
      ...packages,
      ...sessions,
      ...orders,
      ...guests,
    ],
    changes: random.chance(0.6) ? changesOf(random, guests) : [],
    dietFields: diets.rules.map(({ field }) => field),
    sessionIds: sessions.map(({ id: session }) => String(session)),
    orderUuids: orders.map(({ uuid }) => String(uuid)),
    guestIds: guests.flatMap(({ kind, id: guest }) => (kind === 'booking' ? [String(guest)] : [])),
    lastNames: guests.flatMap(({ lastName }) => (lastName === undefined ? [] : [String(lastName)])),
    fullNames: guests.flatMap(({ kind, firstName, lastName }) =>
      kind === 'customer' ? [[firstName, lastName].filter(Boolean).join(' ')] : [],
    ),
    soughtFor: soughtFor([...rooms, ...orders, ...guests]),
    sources: makeSources(createRandom(seed, `${id} sources`), of, [...rooms, ...programs, ...packages]),
  }
}

/** A search has at least so many letters or digits. */
const SOUGHT_MIN = 3

function soughtFor(records: readonly CenterRecord[]): string[] {
  const texts = records.flatMap(({ kind, firstName, lastName, email, phone, name, number, uuid }) => [
    ...[firstName, lastName, email, number].flatMap((value) => {
      const text = typeof value === 'string' ? value : ''
      return [text, text.slice(0, Math.ceil(text.length / 2))]
    }),
    ...(kind === 'term' || kind === 'order' ? [name, uuid] : []),
    ...(typeof phone === 'string' ? [phone.slice(-6)] : []),
  ])
  return [...texts, 'nobody has this'].flatMap((text) =>
    typeof text === 'string' && (text.match(/[\p{L}\p{N}]/gu)?.length ?? 0) >= SOUGHT_MIN ? [text] : [],
  )
}

/** Makes a record of the center. */
export type Make = (kind: string, fields: Fields) => CenterRecord

interface Diets {
  readonly records: readonly CenterRecord[]
  readonly rules: readonly {
    readonly field: string
    readonly allergies?: readonly string[]
    readonly values?: readonly {
      readonly value: string
      readonly isAllergy?: boolean
      readonly isNone?: boolean
    }[]
  }[]
  readonly fields: readonly {
    readonly field: string
    readonly of: string
    readonly values: readonly unknown[]
  }[]
}

/** So many diets in none to three fields, many of them allergies. */
function makeDiets(random: Random, of: Make, total: number): Diets {
  const words = wordsOf(random)
  const allergies = words.allergies(random.whole(0, total))
  const diets = words.diets(total - allergies.length)
  const made: {
    field: string
    label: string
    type: string
    of: string
    values: unknown[]
    allergies: string[]
  }[] = []
  const add = (field: string, label: string, type: string, values: unknown[], allergic: string[]) =>
    made.push({ field, label, type, of: random.pick(['customer', 'booking']), values, allergies: allergic })
  if (diets.length > 0) add('diet', 'Diet', 'string', diets, [])
  if (allergies.length > 0) add('allergies', 'Allergies', 'string', allergies, allergies)
  if (random.chance(0.3)) add('celiac', 'Zöliakie, streng glutenfrei', 'boolean', [true, false], ['true'])
  // Some centers say which values they know; then some values are unknown, some none, and some are two at once.
  const isKnown = random.chance(0.5)
  const rulesOf = ({ field, type, values, allergies: allergic }: (typeof made)[number]) =>
    type === 'boolean' || !isKnown
      ? { field, allergies: allergic }
      : {
          field,
          values: [
            ...(values as string[])
              .filter((value) => !/[,;|]/.test(value))
              .map((value) => ({ value, isAllergy: allergic.includes(value) })),
            { value: 'none', isNone: true },
          ],
        }
  const writtenIn = (values: readonly unknown[]) => {
    const [first = 'none', second = first] = values as string[]
    return [...values, 'none', `${first}; ${second}`, `${second}, ${random.pick(['egg-free', 'kosher?'])}`]
  }
  return {
    records: made.map(({ field, label, type, of: owner }) =>
      of('metaField', { key: field, label, type, of: owner }),
    ),
    rules: made.map(rulesOf),
    fields: made.map((one) =>
      one.type === 'boolean' || !isKnown ? one : { ...one, values: writtenIn(one.values) },
    ),
  }
}

function makeSessions(random: Random, of: Make): CenterRecord[] {
  const words = wordsOf(random)
  return Array.from({ length: random.pick([0, 1, 6, 12, 30]) }, (_, n) => {
    const begins = addDays(TODAY, random.whole(-300, 300))
    return of('session', {
      id: `s${n}`,
      name: `${words.program()} ${random.whole(1, 40)}`,
      ...(random.chance(0.7) ? { number: String(n + 1) } : {}),
      startDate: `${begins}T15:00`,
      endDate: `${addDays(begins, random.whole(2, 14))}T11:00`,
    })
  })
}

const STATUSES = ['confirmed', 'processing', 'cancelled', 'refunded', 'draft', 'wait_for_transfer'] as const
const PAYMENTS = ['paid', 'partially_paid', 'unpaid', 'refunded', 'mailed_voucher'] as const
const METHODS = ['card', 'bank_transfer', 'cash', 'crypto_coin'] as const

function makeOrders(random: Random, of: Make, count: number): CenterRecord[] {
  const words = wordsOf(random)
  return Array.from({ length: count }, (_, n) => {
    const items = Array.from({ length: random.whole(0, 4) }, (_, at) => ({
      itemId: `i${at}`,
      name: random.pick([
        'Room',
        'Massage, 50 minutes',
        'Cură balneară cu toate tratamentele incluse în pachet',
        '水',
      ]),
      quantity: random.pick([1, 2, 10, 0.5]),
      price: random.whole(1, 4000),
    }))
    const sum = items.reduce((total, { quantity, price }) => total + quantity * price, 0)
    const uuid = random.chance(0.9) ? random.uuid() : `WEB:${n}`
    return of('order', {
      uuid,
      ...(random.chance(0.6) ? { number: `2026-${String(n).padStart(4, '0')}` } : {}),
      orderDate: `${addDays(TODAY, random.whole(-60, 3))}T12:00`,
      totalAmount: Math.round(random.chance(0.7) ? sum : random.whole(-500, 99_999_999)),
      status: random.pick(STATUSES),
      items,
      ...(random.chance(0.4) ? { currency: random.pick(CURRENCIES) } : {}),
      ...(random.chance(0.7)
        ? { paymentStatus: random.pick(PAYMENTS), paymentMethod: random.pick(METHODS) }
        : {}),
      ...(random.chance(0.5)
        ? {
            billingAddress: { street: 'Str. Lungă 7', city: words.room(), zip: '010101', country: 'România' },
          }
        : {}),
      ...(random.chance(0.3) ? { notes: words.text() } : {}),
    })
  })
}

interface GuestParts {
  readonly random: Random
  readonly of: Make
  readonly size: number
  readonly diets: Diets
  readonly rooms: readonly CenterRecord[]
  readonly programs: readonly CenterRecord[]
  /** of the guests, who have a package with meals */
  readonly packageShare: number
  readonly sessions: readonly CenterRecord[]
  readonly orders: readonly CenterRecord[]
  /** of a full house: people whom one booking adds */
  readonly withoutName: number | undefined
}

function makeGuests({
  random,
  of,
  size,
  diets,
  rooms,
  programs,
  packageShare,
  sessions,
  orders,
  withoutName,
}: GuestParts): CenterRecord[] {
  const isFull = withoutName !== undefined
  const words = wordsOf(random)
  const dietShare = random.pick(isFull ? [0.6, 1] : [0, 0.2, 0.6, 1])
  const skipShare = random.pick(isFull ? [0, 0.1] : [0, 0.1, 0.3, 0.9])
  const metaOf = (owner: string) =>
    Object.fromEntries(
      diets.fields
        .filter((field) => field.of === owner && random.chance(dietShare))
        .map(({ field, values }) => [field, random.pick(values)]),
    )
  const sessionAt = (day: string) =>
    sessions.filter(({ startDate, endDate }) => String(startDate) <= day && day <= String(endDate))
  return Array.from({ length: size }, (_, n) => {
    // Most are there today, so that the kitchen has something to show.
    const isNear = isFull || random.chance(0.7)
    const begins = addDays(TODAY, isNear ? random.whole(-9, isFull ? 0 : 1) : random.whole(-200, 60))
    const ends = isFull ? addDays(TODAY, random.whole(1, 9)) : addDays(begins, random.whole(0, 12))
    const days = Array.from({ length: 4 }, () => addDays(begins, random.whole(0, 12)))
    const skips = (share: number) =>
      random.chance(share) ? [...new Set(days.slice(0, random.whole(1, 4)))] : []
    const attended = sessionAt(addDays(begins, 1)).slice(0, 2)
    const order = orders.length > 0 && random.chance(0.4) ? random.pick(orders) : undefined
    const customer = of('customer', {
      id: `c${n}`,
      ...words.person(),
      ...(random.chance(0.5) ? { email: `guest${n}@example.com` } : {}),
      ...(random.chance(0.4)
        ? { phone: `+40 7${String(random.whole(0, 99_999_999)).padStart(8, '0')}` }
        : {}),
      ...(random.chance(0.4) ? { dob: addDays('1980-01-01', random.whole(-12_000, 12_000)) } : {}),
      meta: metaOf('customer'),
    })
    const booking = of('booking', {
      id: `b${n}`,
      customerId: `c${n}`,
      role: random.pick(ROLES),
      status:
        isFull || random.chance(0.7)
          ? random.pick(['confirmed', 'arrived', 'paid'])
          : random.pick(BOOKING_STATUSES),
      startDate: random.chance(0.8)
        ? `${begins}T${begins === ends ? '08:30' : random.pick(['07:00', '14:00', '15:00', '22:30'])}`
        : begins,
      endDate: `${ends}T${begins === ends ? '20:00' : random.pick(['07:00', '10:00', '11:00', '23:00'])}`,
      ...(random.chance(packageShare) ? { packageId: random.pick(['half', 'room']) } : {}),
      ...(isFull && n === 0 ? { meals: [{ from: begins, until: ends, guests: withoutName }] } : {}),
      ...(random.chance(isFull ? 0 : 0.1) ? { meals: [ownMeals(random, begins, ends)] } : {}),
      sessionIds: attended.map(({ id }) => id),
      skippingMeals: { breakfast: skips(skipShare / 2), lunch: skips(skipShare), dinner: skips(skipShare) },
      meta: metaOf('booking'),
      ...(rooms.length > 0 && random.chance(0.9) ? { acc: { roomId: random.pick(rooms).id } } : {}),
      ...(programs.length > 0 && random.chance(0.6) ? { programId: random.pick(programs).id } : {}),
      ...(order === undefined ? {} : { orderUuid: order.uuid, isOrderMainGuest: random.chance(0.5) }),
      ...(random.chance(0.3)
        ? { financial: { total: random.whole(100, 9000), deposit: { amount: 50 } } }
        : {}),
      ...(random.chance(0.3) ? { medicalData: { notes: words.text() } } : {}),
    })
    return [customer, booking]
  }).flat()
}

/** A late plate, a day without lunch, or a group without names. */
function ownMeals(random: Random, from: string, until: string): Fields {
  return random.pick([
    { from, until, also: ['dinner'] },
    { from, until, only: ['breakfast', 'dinner'] },
    { from, until, guests: random.whole(1, 30) },
  ])
}

/** Some guests skip another meal, change their room or leave; a group goes away for lunch. */
function changesOf(random: Random, guests: readonly CenterRecord[]): CenterRecord[] {
  const bookings = guests.filter(({ kind }) => kind === 'booking')
  const changed = random.some(bookings, random.pick([1, 3, 8, 30]))
  const isGroup = random.chance(0.3)
  return changed.map(({ kind, centerId, id }) => ({
    kind,
    centerId,
    id,
    ...(isGroup || random.chance(0.6)
      ? { skippingMeals: { breakfast: [], lunch: [TODAY], dinner: isGroup ? [] : [TODAY] } }
      : { status: 'cancelled' }),
  }))
}
