/**
 * A small center with random changes to everything that answers can show, for comparing cached answers with fresh ones.
 * The same seed gives the same changes and the same requests.
 */
import sql, { raw, type Sql } from 'sql-template-tag'
import { PROJECTABLE_NAMES } from '../../src/core/api/guests/projection.ts'
import type { Queryable } from '../../src/core/database/database.ts'
import { BOOKING_STATUSES } from '../../src/core/records/fields/statuses.ts'
import { booking, customer, metaField, order, SPA, session, type TestRecord, term } from './world.ts'

export interface Random {
  /** a whole number from 0 up to but not including the bound */
  below(bound: number): number
  pick<T>(values: readonly T[]): T
}

/** Mulberry32: good enough for tests, and the same on every platform. */
export function seededRandom(seed: number): Random {
  let state = seed >>> 0
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
  const below = (bound: number) => Math.floor(next() * bound)
  return { below, pick: (values) => values[below(values.length)]! }
}

const SESSIONS = 8
const CUSTOMERS = 24
const ORDERS = 10
const BOOKINGS = 40

const names = (prefix: string, count: number) => Array.from({ length: count }, (_, at) => `${prefix}${at}`)
const sessionIds = names('s-', SESSIONS)
const customerIds = names('k-', CUSTOMERS)
const orderUuids = names('o-', ORDERS)
const bookingIds = names('b-', BOOKINGS)

/** Day `at` of 2025, counted from 0. */
const day = (at: number) => new Date(Date.UTC(2025, 0, 1 + at)).toISOString().slice(0, 10)
/** Each session is a week long, and they begin ten days apart. */
const sessionDays = (at: number): [from: string, to: string] => [day(at * 10), day(at * 10 + 7)]

/** The profile of the center, for which some orders are paid and some are not. */
export const RANDOM_PROFILE = {
  orderRules: {
    orderStatuses: { valid: ['confirmed', 'completed'] },
    paymentStatuses: { valid: ['paid'], open: ['open'] },
  },
}

/** The records of the center. */
export function randomCenter(random: Random): TestRecord[] {
  return [
    term('program', 'detox', 'Detox', { names: { ro: 'Detoxifiere' } }),
    term('room', 'r1', 'Room 1'),
    metaField('diet'),
    ...sessionIds.map((id, at) => {
      const [from, to] = sessionDays(at)
      return session(id, `${from}T14:00`, `${to}T10:00`, { number: String(at), programIds: ['detox'] })
    }),
    ...customerIds.map((id) => customer(id, { firstName: `First ${id}`, lastName: `Last ${id}` })),
    ...orderUuids.map((uuid, at) => order(uuid, { orderDate: `${day(at * 8)}T12:00`, number: String(at) })),
    ...bookingIds.map((id) => {
      const at = random.below(SESSIONS)
      const [from, to] = sessionDays(at)
      return booking(id, {
        customerId: random.pick(customerIds),
        status: random.pick(BOOKING_STATUSES),
        startDate: `${from}T14:00`,
        endDate: `${to}T10:00`,
        sessionIds: random.below(5) === 0 ? [] : [sessionIds[at]],
        programId: 'detox',
        ...(random.below(2) === 0 ? {} : { orderUuid: random.pick(orderUuids) }),
      })
    }),
  ]
}

/** Columns that are shown unchanged, or contain a value that is; each takes any text, or any text in its JSON. */
const SHOWN: readonly (readonly [table: string, column: string, name?: string])[] = [
  ['bookings', 'booking_id'],
  ['bookings', 'created_by'],
  ['bookings', 'doctor_name'],
  ['bookings', 'program_id'],
  ['bookings', 'package_id'],
  ['bookings', 'form', 'observations'],
  ['bookings', 'medical', 'idealWeight'],
  ['bookings', 'financial', 'subtotal'],
  ['bookings', 'accommodation', 'floor'],
  ['customers', 'first_name'],
  ['customers', 'phone'],
  ['customers', 'secondary_phone'],
  ['customers', 'pin'],
  ['customers', 'internal_id'],
  ['customers', 'gender'],
  ['customers', 'religion'],
  ['customers', 'referral_type'],
  ['customers', 'address', 'city'],
  ['sessions', 'number'],
  ['orders', 'number'],
  ['orders', 'payment_method'],
  ['orders', 'payment_status'],
  ['orders', 'notes'],
  ['orders', 'billing_address', 'city'],
]

/** Search values for guests and orders. There are only a few of each, so that some are found, also more than once. */
const FOUND_BY: readonly (readonly [
  table: string,
  column: string,
  parameter: string,
  values: readonly string[],
])[] = [
  ['bookings', 'booking_id', 'bookingId', ['25-1-01', '25-1-02']],
  ['customers', 'first_name', 'q', ['Ștefan', 'Stephan', 'Ana']],
  ['customers', 'last_name', 'q', ['Müller', 'Mueller', 'Pop']],
  ['customers', 'email', 'email', ['a@example.com', 'A@Example.com', 'b@example.com']],
  ['customers', 'phone', 'phone', ['+40721234567', '0721 234 567', '0722 234 567']],
  ['customers', 'secondary_phone', 'phone', ['+40721234567', '0722 234 567']],
  ['customers', 'internal_id', 'internalId', ['C-1', 'C-2']],
  ['orders', 'number', 'orderNumber', ['1', '2']],
  ['orders', 'status', 'status', ['confirmed', 'completed']],
  ['orders', 'payment_status', 'paymentStatus', ['paid', 'open']],
]

const FOUND_GUESTS = FOUND_BY.filter(([table]) => table !== 'orders')
const FOUND_ORDERS = FOUND_BY.filter(([table]) => table === 'orders')

/** A search parameter such as `email=a%40example.com`. */
function foundBy(random: Random, parameters: typeof FOUND_BY): string {
  const [, , parameter, values] = random.pick(parameters)
  return `${parameter}=${encodeURIComponent(random.pick(values))}`
}

const SORTS = [
  '-startDate',
  'endDate',
  '-bookedAt',
  'bookingId,-role',
  'status',
  '-dob',
  'lastName,-firstName',
]

function setShown(random: Random, value: string): Sql {
  const [table, column, name] = random.pick(SHOWN)
  return setColumn(random, table, column, name === undefined ? value : JSON.stringify({ [name]: value }))
}

function setColumn(random: Random, table: string, column: string, shown: string): Sql {
  const ids = { bookings: bookingIds, customers: customerIds, sessions: sessionIds, orders: orderUuids }[
    table
  ]
  const key = table === 'orders' ? 'uuid' : 'id'
  return sql`
    update ${raw(table)} set ${raw(column)} = ${shown}
    where center_id = ${SPA} and ${raw(key)} = ${random.pick(ids ?? [])}`
}

/** With a deposit or without. */
const randomPrice = (random: Random) => ({
  total: random.below(1000),
  ...(random.below(2) === 0 ? {} : { deposit: { amount: random.below(200) } }),
})

/** A random statement. Most change one record, as a front desk does; a few change the whole center. */
function randomStatement(random: Random): Sql {
  const id = random.pick(bookingIds)
  const at = random.below(SESSIONS)
  const [from, to] = sessionDays(at)
  const value = `v${random.below(1_000_000)}`
  const ofBooking = sql`where center_id = ${SPA} and id = ${id}`
  const ofCustomer = sql`where center_id = ${SPA} and id = ${random.pick(customerIds)}`
  const ofSession = sql`where center_id = ${SPA} and id = ${sessionIds[at]}`
  const ofOrder = sql`where center_id = ${SPA} and uuid = ${random.pick(orderUuids)}`
  const statements: (() => Sql)[] = [
    () => sql`update bookings set status = ${random.pick(BOOKING_STATUSES)} ${ofBooking}`,
    () => sql`update bookings set role = ${random.pick(['patient', 'companion', 'guest'])} ${ofBooking}`,
    () =>
      sql`update bookings set session_ids = ${random.below(4) === 0 ? [] : [sessionIds[at], random.pick(sessionIds)]} ${ofBooking}`,
    () => sql`
      update bookings set start_date = ${`${from}T12:00Z`}, end_date = ${`${random.below(6) === 0 ? day(at * 10 + 50) : to}T12:00Z`}
      ${ofBooking}`,
    () => sql`update bookings set customer_id = ${random.pick(customerIds)} ${ofBooking}`,
    () =>
      sql`update bookings set order_uuid = ${random.below(3) === 0 ? null : random.pick(orderUuids)}, is_order_main_guest = ${random.below(2) === 0} ${ofBooking}`,
    () => sql`update bookings set financial = ${JSON.stringify(randomPrice(random))} ${ofBooking}`,
    () => sql`update bookings set financial = ${JSON.stringify(randomPrice(random))} ${ofBooking}`,
    () => sql`update orders set payment_status = ${random.pick(['paid', 'open', null])} ${ofOrder}`,
    () => sql`
      insert into bookings (center_id, id, customer_id, role, status, start_date, end_date, session_ids, order_uuid, financial)
      values (${SPA}, ${id}, ${random.pick(customerIds)}, 'guest', 'confirmed', ${`${from}T12:00Z`}, ${`${to}T08:00Z`}, '{}', ${random.pick(orderUuids)}, ${JSON.stringify(randomPrice(random))})
      on conflict (center_id, id) do update set created_by = 'desk'`,
    () =>
      sql`update bookings set medical = ${JSON.stringify({ height: 150 + random.below(50) })} ${ofBooking}`,
    () =>
      sql`update bookings set accommodation = ${JSON.stringify({ roomId: random.pick(['r1', value]) })} ${ofBooking}`,
    () => sql`update bookings set therapist_name = ${value} ${ofBooking}`,
    () => sql`
      update bookings set skipping_meals = ${JSON.stringify({ breakfast: [from], lunch: random.below(2) === 0 ? [] : [from], dinner: [] })}
      ${ofBooking}`,
    () => sql`update customers set last_name = ${value} ${ofCustomer}`,
    () => sql`update customers set email = ${value} ${ofCustomer}`,
    () => sql`update customers set meta = ${JSON.stringify({ diet: value })} ${ofCustomer}`,
    () => sql`update customers set dob = ${day(random.below(300))} ${ofCustomer}`,
    () => sql`update sessions set name = ${value} ${ofSession}`,
    () => sql`update sessions set text = ${value} ${ofSession}`,
    () => sql`update sessions set start_date = ${`${from}T0${random.below(10)}:00Z`} ${ofSession}`,
    () => sql`update orders set status = ${value} ${ofOrder}`,
    () => sql`update orders set order_date = ${`${day(random.below(80))}T12:00Z`} ${ofOrder}`,
    () => sql`delete from bookings ${ofBooking}`,
    () => sql`
      insert into bookings (center_id, id, customer_id, role, status, start_date, end_date, session_ids)
      values (${SPA}, ${id}, ${random.pick(customerIds)}, 'guest', 'confirmed', ${`${from}T12:00Z`}, ${`${to}T08:00Z`}, ${[sessionIds[at]]})
      on conflict (center_id, id) do update set created_by = 'desk'`,
  ]
  if (random.below(3) === 0) return setShown(random, value)
  if (random.below(4) === 0) {
    const [table, column, , values] = random.pick(FOUND_BY)
    return setColumn(random, table, column, random.pick(values))
  }
  if (random.below(60) === 0)
    return sql`update terms set name = ${value} where center_id = ${SPA} and id = 'detox'`
  if (random.below(60) === 0) return sql`update centers set name = ${value} where center_id = ${SPA}`
  return random.pick(statements)()
}

/** The statements of one commit. */
export const randomCommit = (random: Random): Sql[] =>
  Array.from({ length: 1 + random.below(3) }, () => randomStatement(random))

/** Runs the statements of one commit. */
export async function runCommit(tx: Queryable, statements: readonly Sql[]): Promise<void> {
  for (const statement of statements) await tx.query(statement)
}

const PROJECTIONS = [
  undefined,
  'name,status,programId,acc.roomId',
  'lastName,financial.total,height,bmi1',
  'id,orderNumber,orderStatus,isOrderMainGuest,therapistName',
  'sessionInterval,sessionsAttendedBefore,sessionsRegisteredFutureCount',
  'email,age,birthDateDuringStay,meta.diet,skippingMeals',
  'centerName,firstNameCaps,role',
  'id,paid',
  'orderNumber,paid',
]

const FIELDS = [...PROJECTABLE_NAMES, 'meta.diet']

/** A request whose answer may or may not be changed by a commit. */
export function randomRequest(random: Random): { url: string; locale: string } {
  const first = random.below(80)
  const range = `startDate=${day(first)}&endDate=${day(first + random.below(20))}`
  const locale = random.pick(['en', 'ro'])
  const project =
    random.below(3) === 0
      ? Array.from({ length: 4 }, () => random.pick(FIELDS)).join(',')
      : random.pick(PROJECTIONS)
  const guests = [
    random.pick([
      range,
      `sessionId=${random.pick(sessionIds)}`,
      `sessionIds=${random.pick(sessionIds)},${random.pick(sessionIds)}`,
    ]),
    ...(project === undefined ? [] : [`project=${project}`]),
    ...(random.below(4) === 0 ? [`status=${random.pick(BOOKING_STATUSES)}`] : []),
    ...(random.below(6) === 0 ? ['role=patient,guest'] : []),
    ...(random.below(4) === 0 ? [foundBy(random, FOUND_GUESTS)] : []),
    ...(random.below(8) === 0
      ? [`${random.pick(['arriving', 'departing', 'inHouse'])}=${day(random.below(80))}`]
      : []),
    ...(random.below(6) === 0 ? [`paid=${random.pick(['open', 'paid,notDecided', 'partlyPaid'])}`] : []),
    ...(random.below(6) === 0 ? [`active=${random.pick(['true', 'false'])}`] : []),
    ...(random.below(5) === 0 ? [`sort=${random.pick(SORTS)}`] : []),
    ...(random.below(4) === 0 ? ['length=3&start=2'] : []),
  ].join('&')
  const url = random.pick([
    `/v1/guests?${guests}`,
    `/v1/guests?${guests}`,
    `/v1/guests?${guests}`,
    `/v1/guests/meal-skipping-report?${random.pick([range, `sessionId=${random.pick(sessionIds)}`])}`,
    `/v1/orders?${range}${random.pick(['', '&includeGuestNames=true', `&${foundBy(random, FOUND_ORDERS)}`])}`,
    `/v1/orders/${random.pick(orderUuids)}${random.pick(['', '?includeGuestNames=true', '?includeDetails=true', '?includeChecks=true&includePayments=true&includeLabels=true'])}`,
    `/v1/sessions?${range}${random.pick(['', '&includeGuestCounts=true'])}`,
  ])
  return { url, locale }
}
