/** The statements that read what is compared: the neighborhood of some records, never a whole center. */
import sql, { join, raw, type Sql } from 'sql-template-tag'
import { controlledOrder } from '../../core/api/orders/control-sql.ts'
import { epochMs } from '../../core/database/json-rows.ts'
import type { CenterId } from '../../core/records/centers/center.ts'

/** A travel agency may be one customer with thousands of bookings: its newest are compared. */
const STAYS_OF_CUSTOMER_MAX = 400
/** An e-mail address or a number of more customers than this says nothing about who they are. */
const SHARED_BY_MAX = 20
/** Customers with one date of birth and last name that are compared with each. */
const SAME_DAY_MAX = 100

const ms = (column: string): Sql => raw(epochMs(column))

/** The customers and orders of these bookings, as they are now. By primary key. */
export const selectOwners = (center: CenterId, guests: readonly string[]): Sql => sql`
  select id, customer_id, order_uuid from bookings
  where center_id = ${center} and id = any(${[...guests]}::text[])`

/**
 * The stored contradictions that are about one of these records. By primary key. Each table is read once: before the
 * tables are analyzed, the planner would read all records of the center again for each contradiction.
 */
export const selectStored = (center: CenterId, records: readonly string[]): Sql => sql`
  with about as materialized (
    select array_agg(distinct r.contradiction_id) as ids from contradiction_records r
    where r.center_id = ${center} and r.record = any(${[...records]}::text[])
  ), of as materialized (
    select r.contradiction_id as id, array_agg(r.record) as records from contradiction_records r
    where r.center_id = ${center} and r.contradiction_id = any((select ids from about)::text[])
    group by r.contradiction_id
  )
  select k.id, k.kind, k.form, o.records
  from of o
  cross join lateral (
    select id, kind, form from contradictions where center_id = ${center} and id = o.id limit 1
  ) k`

/** A custom field that belongs to bookings. */
const dietValue = (field: string): Sql => sql`b.meta -> ${field}::text`

/**
 * The bookings of these customers and orders: one row with `stays`, a JSON array of `Stay`, in no order. By
 * bookings_by_customer and bookings_by_order.
 * @param diets custom fields of bookings
 */
export const selectStays = (
  center: CenterId,
  customers: readonly string[],
  orders: readonly string[],
  diets: readonly string[],
): Sql => sql`
  with asked as materialized (
    select own.id
    from unnest(${[...customers]}::text[]) as k (id)
    cross join lateral (
      select b.id from bookings b where b.center_id = ${center} and b.customer_id = k.id
      order by b.start_date desc, b.id limit ${STAYS_OF_CUSTOMER_MAX}
    ) own
    union
    select b.id from bookings b
    where b.center_id = ${center} and b.order_uuid = any(${[...orders]}::text[])
  )
  select coalesce(json_agg(json_build_object(
    'id', b.id, 'customer', b.customer_id, 'firstName', c.first_name, 'lastName', c.last_name,
    'status', b.status, 'start', ${ms('b.start_date')}, 'end', ${ms('b.end_date')},
    'sessions', (
      select coalesce(json_agg(json_build_object(
        'id', s.id, 'start', ${ms('s.start_date')}, 'end', ${ms('s.end_date')}
      ) order by s.start_date, s.id), '[]')
      from sessions s where s.center_id = ${center} and s.id = any(b.session_ids)
    ),
    'bookingId', b.booking_id, 'order', b.order_uuid,
    'deposit', json_build_object(
      'amount', case when jsonb_typeof(b.financial -> 'deposit' -> 'amount') = 'number'
        then b.financial -> 'deposit' ->> 'amount' end,
      'paidAt', b.financial -> 'deposit' ->> 'paidAt',
      'paymentType', b.financial -> 'deposit' ->> 'paymentType',
      'notes', b.financial -> 'deposit' ->> 'notes'
    ),
    'diets', ${diets.length === 0 ? raw("'[]'::json") : sql`json_build_array(${join(diets.map(dietValue), ', ')})`}
  )), '[]') as stays
  from asked
  cross join lateral ${byKey('bookings', center, sql`asked.id`)} b
  cross join lateral ${byKey('customers', center, sql`b.customer_id`)} c`

/** These orders in the form of `ControlledOrder`: one row with `orders`. By primary key and bookings_by_order. */
export const selectOrders = (center: CenterId, uuids: readonly string[]): Sql => sql`
  select coalesce(json_agg(${controlledOrder(true)}), '[]') as orders
  from orders o where o.center_id = ${center} and o.uuid = any(${[...uuids]}::text[])`

/** Customers who share a value with the customer `a`, each of the columns along its index; none if too many do. */
const sharing = (center: CenterId, condition: Sql): Sql => sql`
    select a.id as one, unnest(o.ids) as other
    from asked a
    cross join lateral (
      select array_agg(s.id) as ids from (
        select c.id from customers c
        where c.center_id = ${center} and ${condition} limit ${SHARED_BY_MAX + 1}
      ) s
    ) o
    where cardinality(o.ids) between 1 and ${SHARED_BY_MAX}`

/** The key of one phone number of a customer `c`, as customers_by_phone has it. */
const PHONES = ['phone', 'secondary_phone'] as const
const lastDigits = (column: string): Sql => raw(`right(phone_key(c.${column}), 7)`)

/** A row by primary key: the planner does not expect that there is one, and would read the whole center instead. */
const byKey = (table: 'customers' | 'bookings', center: CenterId, id: Sql): Sql =>
  sql`(select * from ${raw(table)} where center_id = ${center} and id = ${id} limit 1)`

/** A customer as `Person`, with one of the bookings, which is the same as long as it exists. */
const person = (alias: string, center: CenterId): Sql => sql`json_build_object(
      'customer', ${raw(alias)}.id,
      'guest', (
        select b.id from bookings b where b.center_id = ${center} and b.customer_id = ${raw(alias)}.id
        order by b.start_date, b.id limit 1
      ),
      'firstName', ${raw(alias)}.first_name, 'lastName', ${raw(alias)}.last_name,
      'dob', ${raw(alias)}.dob, 'gender', ${raw(alias)}.gender, 'email', ${raw(alias)}.email,
      'phone', ${raw(alias)}.phone, 'secondaryPhone', ${raw(alias)}.secondary_phone,
      'readings', name_readings(concat_ws(' ', ${raw(alias)}.first_name, ${raw(alias)}.last_name), false)
    )`

/**
 * Each of these customers with every other one who may be the same person, because they share an e-mail address, a phone
 * number, or a date of birth and a last name: one row with `pairs`, a JSON array of `Pair`, in no order. Only customers
 * with bookings. Uses the indexes of customers; names are compared in the same statement only where one of these values
 * is the same.
 */
export const selectPairs = (center: CenterId, customers: readonly string[]): Sql => sql`
  with asked as materialized (
    select c.id, c.email, c.dob, name_folded(coalesce(c.last_name, c.first_name)) as last_name,
      name_folded(c.first_name) as first_name,
      right(phone_key(c.phone), 7) as phone, right(phone_key(c.secondary_phone), 7) as secondary_phone
    from unnest(${[...customers]}::text[]) as k (id)
    cross join lateral ${byKey('customers', center, sql`k.id`)} c
    where exists (select from bookings b where b.center_id = ${center} and b.customer_id = c.id)
  ), shared as (
    ${sharing(center, sql`lower(c.email collate "C") = lower(a.email collate "C")`)}
    ${join(
      PHONES.flatMap((known) =>
        PHONES.map((one) => sql`union ${sharing(center, sql`${lastDigits(known)} = ${raw(`a.${one}`)}`)}`),
      ),
      '\n    ',
    )}
    union
    select a.id, o.id
    from asked a
    cross join lateral (
      select c.id from customers c
      where c.center_id = ${center} and c.dob = a.dob
        and name_folded(coalesce(c.last_name, c.first_name)) = any (array[a.last_name, a.first_name])
      order by c.id limit ${SAME_DAY_MAX}
    ) o
  ), pairs as materialized (
    select distinct least(one, other) as one, greatest(one, other) as other from shared where one <> other
  )
  select coalesce(json_agg(json_build_object(
    'one', ${person('a', center)}, 'other', ${person('z', center)},
    'sameEmail', lower(a.email collate "C") = lower(z.email collate "C"),
    'samePhone', (
      select bool_or(is_same_phone(x.key, y.key))
      from (select phone_key(v) as key from unnest(array[a.phone, a.secondary_phone]) v offset 0) x,
        (select phone_key(v) as key from unnest(array[z.phone, z.secondary_phone]) v offset 0) y
    )
  )), '[]') as pairs
  from pairs p
  cross join lateral ${byKey('customers', center, sql`p.one`)} a
  cross join lateral ${byKey('customers', center, sql`p.other`)} z
  where exists (select from bookings b where b.center_id = ${center} and b.customer_id = z.id)
    and exists (select from bookings b where b.center_id = ${center} and b.customer_id = a.id)`

/** The rooms whose beds are known: one row with `rooms`, a JSON array of `Room`. */
export const selectRooms = (center: CenterId): Sql => sql`
  select coalesce(json_agg(json_build_object('id', t.id, 'name', t.name, 'beds', t.beds)), '[]') as rooms
  from terms t
  where t.center_id = ${center} and t.term_set = 'room' and t.beds is not null`

/** A time, as ISO 8601 texts. */
export interface TimeSpan {
  readonly from: string
  readonly to: string
}

/** The room of a booking `b` if its stay has no segments. */
const roomOf = raw(`b.accommodation ->> 'roomId'`)

/** Whether a booking `b` is in one of the rooms on some day. */
const isInRooms = (rooms: readonly string[]): Sql => sql`(
          ${roomOf} = any(${[...rooms]}::text[])
          or b.acc_segments is not null and exists (
            select from jsonb_array_elements(case when jsonb_typeof(b.acc_segments) = 'array' then b.acc_segments end) s
            where s ->> 'roomId' = any(${[...rooms]}::text[])
          )
        )`

/** The stays of these bookings in rooms: rows with `room`, `segments`, `start` and `end`. By primary key. */
export const selectRoomsOfGuests = (center: CenterId, guests: readonly string[]): Sql => sql`
  select ${roomOf} as room, b.acc_segments as segments, b.start_date as start, b.end_date as end
  from bookings b
  where b.center_id = ${center} and b.id = any(${[...guests]}::text[])
    and (${roomOf} is not null or b.acc_segments is not null)`

/**
 * The active bookings of these rooms that overlap one of the times: one row with `stays`, a JSON array of `RoomStay`.
 * Along bookings_by_start and bookings_long_stays, as the list of guests (ruling 14); so the times must not overlap.
 */
export const selectRoomStays = (
  center: CenterId,
  rooms: readonly string[],
  times: readonly TimeSpan[],
  inactive: readonly string[],
): Sql => sql`
  with spans as materialized (
    select s.from_at, s.to_at
    from unnest(${times.map(({ from }) => from)}::timestamptz[], ${times.map(({ to }) => to)}::timestamptz[]) as s (from_at, to_at)
  ), found as (
    select f.id
    from spans s
    cross join lateral (
      select b.id from bookings b
      where b.center_id = ${center} and b.start_date < s.to_at and b.end_date > s.from_at
        and b.start_date >= s.from_at - interval '31 days'
        and b.status <> all(${[...inactive]}::text[]) and ${isInRooms(rooms)}
      union all
      (select b.id from bookings b
      where b.center_id = ${center} and b.end_date - b.start_date > interval '31 days'
        and b.start_date < s.from_at - interval '31 days' and b.end_date > s.from_at
        and b.status <> all(${[...inactive]}::text[]) and ${isInRooms(rooms)} offset 0)
    ) f
  )
  select coalesce(json_agg(json_build_object(
    'id', b.id, 'customer', b.customer_id, 'firstName', c.first_name, 'lastName', c.last_name,
    'start', ${ms('b.start_date')}, 'end', ${ms('b.end_date')}, 'room', ${roomOf}, 'segments', b.acc_segments
  )), '[]') as stays
  from (select distinct id from found) f
  cross join lateral ${byKey('bookings', center, sql`f.id`)} b
  cross join lateral ${byKey('customers', center, sql`b.customer_id`)} c`

/** What is stored under these identifiers. By primary key. */
export const selectForms = (center: CenterId, ids: readonly string[]): Sql => sql`
  select id, form from contradictions where center_id = ${center} and id = any(${[...ids]}::text[])`
