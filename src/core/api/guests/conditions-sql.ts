/** The filters of a list of guests: the condition of each on a booking, and the columns that it reads. */
import sql, { empty, join, type Sql } from 'sql-template-tag'
import type { CenterId } from '../../records/centers/center.ts'
import { PAID_COLUMNS } from '../../records/fields/source.ts'
import type { BookingStatus, PaidState, Role } from '../../records/fields/statuses.ts'
import { type PaidRules, paidState } from '../../records/payments-sql.ts'
import type { Bounds } from '../../request/bounds.ts'
import type { Wanted } from './match-likeness.ts'
import { hasEmail, having, named, nameQuery } from './person-query-sql.ts'

/** The filter for possible matches of a person. */
export interface MayBe {
  readonly wanted: Wanted
  /** whether the range has few guests: then these are read, instead of all stays of the possible customers */
  readonly isNarrow: boolean
}

/** The filter for bookings that are active, or for those that are not (ruling 50). */
export interface ActiveBookings {
  readonly isActive: boolean
  /** statuses of bookings that are not active */
  readonly inactive: readonly string[]
}

/** The filter for guests who have paid, or not. */
export interface HavingPaid {
  readonly states: readonly PaidState[]
  readonly by: PaidRules
}

/** The booking `b` that is tested: a row of `bookings`, or the copy of its columns next to one of its sessions. */
interface Judged {
  readonly center: CenterId
  readonly id: Sql
}

interface Condition<Value> {
  /** as `table.column`: an answer stays current while none of these changes */
  readonly columns: readonly string[]
  readonly holds: (value: Value, judged: Judged) => Sql
  /** whether it searches for customers or bookings, which is done once for the count and the page */
  readonly searches: (value: Value) => boolean
}

const of = <Value>(
  columns: string,
  holds: Condition<Value>['holds'],
  searches: Condition<Value>['searches'] = () => false,
): Condition<Value> => ({ columns: columns.split(' ').filter(Boolean), holds, searches })

/**
 * A customer may have several bookings, which are found along `bookings_by_customer`. The customers are found once:
 * before the tables were analyzed, names were folded again for each booking, which took seconds.
 */
const ofCustomer = <Value>(columns: string, holds: (value: Value, center: CenterId) => Sql) =>
  of<Value>(
    `bookings.customer_id ${columns}`,
    (value, { center }) =>
      sql`b.customer_id in (with found as materialized (${holds(value, center)}) select id from found)`,
    () => true,
  )

/** A single value is not passed as a list, because the planner estimates it better. */
const isOneOf = (column: Sql, values: readonly string[]): Sql =>
  values.length === 1 ? sql`${column} = ${values[0]}` : sql`${column} = any(${values})`

const isWithin = (column: Sql, { lower, upper }: Bounds): Sql =>
  sql`${column} >= ${lower} and ${column} <= ${upper}`

/**
 * Each of the numbers of both fields counts. Uses `customers_by_contact`, whose keys begin with the center; the center is
 * compared in another collation for the reason that `named` gives.
 */
const withPhone = (phone: string, center: CenterId): Sql => sql`
        select c.id from customers c
        where c.center_id = ${center} collate "POSIX"
          and coalesce(c.email, c.phone, c.secondary_phone) is not null
          and contact_index(c.center_id, c.email, c.phone, c.secondary_phone)
            @@ search_query(${`${center}#`}::text, right(phone_key(${phone}), 7))
          and exists (
            select from unnest(phone_keys(c.phone) || phone_keys(c.secondary_phone)) as k (key)
            where is_same_phone(k.key, phone_key(${phone}))
          )`

/** By name of the filter. Each condition defined here is a filter of `GuestFilters`. */
const conditions = {
  role: of('bookings.role', (roles: readonly Role[]) => isOneOf(sql`b.role`, roles)),
  status: of('bookings.status', (statuses: readonly BookingStatus[]) => isOneOf(sql`b.status`, statuses)),
  statusesExclude: of('bookings.status', (statuses: readonly string[]) => sql`b.status <> all(${statuses})`),
  active: of('bookings.status', ({ isActive, inactive }: ActiveBookings) =>
    isActive ? sql`b.status <> all(${inactive})` : sql`b.status = any(${inactive})`,
  ),
  alsoInSessions: of('bookings.session_ids', (ids: readonly string[]) => sql`b.session_ids && ${ids}`),
  sessionIdsExclude: of(
    'bookings.session_ids',
    (ids: readonly string[]) => sql`not (b.session_ids && ${ids})`,
  ),
  arriving: of('bookings.start_date', (day: Bounds) => isWithin(sql`b.start_date`, day)),
  departing: of('bookings.end_date', (day: Bounds) => isWithin(sql`b.end_date`, day)),
  inHouse: of(
    'bookings.start_date bookings.end_date',
    ({ lower, upper }: Bounds) => sql`b.start_date <= ${upper} and b.end_date >= ${lower}`,
  ),
  guestId: of('', (guestId: string, { id }) => sql`${id} = ${guestId}`),
  // Uses bookings_by_customer.
  personOf: of(
    'bookings.customer_id',
    (guestId: string, { center, id }) => sql`${id} in (
        select k.id from bookings k
        where k.center_id = ${center} and k.customer_id = (
          select p.customer_id from bookings p where p.center_id = ${center} and p.id = ${guestId}))`,
    () => true,
  ),
  // Uses bookings_by_room and bookings_by_segment.
  room: of(
    'bookings.accommodation bookings.acc_segments',
    (roomId: string, { center, id }) => sql`${id} in (
        select k.id from bookings k
        where k.center_id = ${center} and k.accommodation ->> 'roomId' is not null
          and room_letters(k.accommodation ->> 'roomId') = room_letters(${roomId}::text)
          and k.accommodation ->> 'roomId' = ${roomId}
        union all
        select k.id from bookings k
        where k.center_id = ${center} collate "POSIX" and k.acc_segments is not null
          and segments_index(k.center_id, k.acc_segments)
            && array[${`${center}/`}::text || room_letters(${roomId}::text)]
          and k.acc_segments @> jsonb_build_array(jsonb_build_object('roomId', ${roomId}::text)))`,
    () => true,
  ),
  // A value and not a join: the planner would decide it for all bookings of the center.
  paid: of(
    PAID_COLUMNS.join(' '),
    ({ states, by }: HavingPaid, { center, id }) => sql`(
        select ${paidState('stay', 'of_stay', by)}
        from bookings stay
        left join orders of_stay on of_stay.center_id = ${center} and of_stay.uuid = stay.order_uuid
        where stay.center_id = ${center} and stay.id = ${id}) = any(${states}::text[])`,
  ),
  // Uses bookings_by_booking_id.
  bookingId: of(
    'bookings.booking_id',
    (bookingId: string, { center, id }) => sql`${id} in (
        select k.id from bookings k where k.center_id = ${center} and k.booking_id = ${bookingId})`,
    () => true,
  ),
  // The customers that the statement has found before, as `wanted` (match-sql.ts).
  mayBe: of(
    'bookings.customer_id customers.first_name customers.last_name customers.email customers.dob customers.pin',
    ({ isNarrow }: MayBe) => {
      const isWanted = sql`b.customer_id in (select id from wanted)`
      // `is true` prevents a join, which would read the stays of all these customers.
      return isNarrow ? sql`(${isWanted}) is true` : isWanted
    },
    ({ isNarrow }) => !isNarrow,
  ),
  q: ofCustomer('customers.first_name customers.last_name', (text: string, center) =>
    named(nameQuery(center, text), center),
  ),
  email: ofCustomer('customers.email', (email: string, center) => having(hasEmail(email), center)),
  // Uses customers_by_phone and customers_by_secondary_phone.
  phone: ofCustomer('customers.phone customers.secondary_phone', withPhone),
  // Uses customers_by_internal_id.
  internalId: ofCustomer('customers.internal_id', (internalId: string, center) =>
    having(sql`c.internal_id = ${internalId}`, center),
  ),
}

type Asked = { readonly [Name in keyof typeof conditions]: Parameters<(typeof conditions)[Name]['holds']>[0] }

/** The filters that are each one condition on a booking. An undefined filter has no condition. */
export type BookingFilters = { readonly [Name in keyof Asked]?: Asked[Name] | undefined }

// The type of an object literal has exactly its keys.
const NAMES = Object.keys(conditions) as (keyof Asked)[]

/** The conditions of the filters that are set, in the order of the definitions above. */
export const conditionsOf = (filters: BookingFilters, judged: Judged): Sql[] =>
  namesGiven(filters).flatMap((name) => conditionOf(name, filters[name], judged))

/** Most lists have none of these filters. */
const namesGiven = (filters: BookingFilters) => NAMES.filter((name) => filters[name] !== undefined)

/** Whether a filter that is set searches, so that what it finds is read once for the count and the page. */
export const searches = (filters: BookingFilters): boolean =>
  namesGiven(filters).some((name) => searchesBy(name, filters[name]))

/** Every column that the filters that are set read. */
export const columnsAsked = (filters: BookingFilters): readonly string[] =>
  namesGiven(filters).flatMap((name) => conditions[name].columns)

function conditionOf<Name extends keyof Asked>(
  name: Name,
  value: Asked[Name] | undefined,
  judged: Judged,
): Sql[] {
  const all: { readonly [Each in keyof Asked]: Condition<Asked[Each]> } = conditions
  return value === undefined ? [] : [all[name].holds(value, judged)]
}

function searchesBy<Name extends keyof Asked>(name: Name, value: Asked[Name] | undefined): boolean {
  const all: { readonly [Each in keyof Asked]: Condition<Asked[Each]> } = conditions
  return value !== undefined && all[name].searches(value)
}

/** Joins conditions, each after `and`. */
export const all = (given: readonly Sql[]): Sql =>
  given.length === 0 ? empty : join(given, '\n      and ', 'and ')
