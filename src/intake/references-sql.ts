/** The checks at the end of an import: what its records refer to must be there, whatever order they came in. */
import sql, { type Sql } from 'sql-template-tag'

/** A reference to something that is not there, and the line that gave it. */
export interface BrokenReference {
  readonly seq: number
  readonly target: string
  /** The target was among the records, but on a line that was refused. */
  readonly target_refused: boolean
}

/** A removed record that a booking still refers to, and the line that removed it. */
export interface BrokenRemoval {
  readonly seq: number
  readonly booking_id: string
}

export const createReferencesSql: readonly Sql[] = [
  // What bookings of this import newly refer to. A booking that is refused is noted too, for its problems.
  sql`create temporary table import_references (
    seq bigint not null,
    center_id text collate "C" not null,
    booking_id text collate "C" not null,
    customer_id text collate "C",
    order_uuid text collate "C",
    session_ids text[] not null,
    refused boolean not null
  ) on commit drop`,
  sql`create temporary table import_removals (
    seq bigint not null,
    kind smallint not null,
    center_id text collate "C" not null,
    key text collate "C" not null
  ) on commit drop`,
]

export const noteReferencesSql = (rows: string): Sql => sql`
  insert into import_references (seq, center_id, booking_id, customer_id, order_uuid, session_ids, refused)
  select seq, center_id, booking_id, customer_id, order_uuid, coalesce(session_ids, '{}'), refused
  from json_to_recordset(${rows}::json) as r (
    seq bigint, center_id text, booking_id text, customer_id text, order_uuid text, session_ids text[],
    refused boolean
  )`

export const noteRemovalsSql = (rows: string): Sql => sql`
  insert into import_removals (seq, kind, center_id, key)
  select seq, kind, center_id, key
  from json_to_recordset(${rows}::json) as r (seq bigint, kind smallint, center_id text, key text)`

export const analyzeReferencesSql: readonly Sql[] = [
  sql`analyze import_references`,
  sql`analyze import_removals`,
]

/** Whether the target was among the records, on a line that was refused. */
const isRefused = (kind: number): Sql => sql`
  exists (
    select from import_stage s
    where s.refused and s.kind = ${kind} and s.center_id = m.center_id and s.key = m.target
  )`

// Each first finds what is missing, which is next to nothing, and only then asks the rest about it: the
// planner would otherwise ask about every booking.

/** Bookings whose customer does not exist. `kind` is the customers' place in the stage. */
export const missingCustomersSql = (kind: number): Sql => sql`
  with missing as materialized (
    select r.seq, r.center_id, r.booking_id, r.customer_id as target, r.refused
    from import_references r
    left join customers c on c.center_id = r.center_id and c.id = r.customer_id
    where r.customer_id is not null and c.id is null
  )
  select m.seq, m.target, ${isRefused(kind)} as target_refused
  from missing m
  where m.refused or exists (
    select from bookings b
    where b.center_id = m.center_id and b.id = m.booking_id and b.customer_id = m.target
  )
  order by m.seq`

/** Bookings whose order does not exist. `kind` is the orders' place in the stage. */
export const missingOrdersSql = (kind: number): Sql => sql`
  with missing as materialized (
    select r.seq, r.center_id, r.booking_id, r.order_uuid as target, r.refused
    from import_references r
    left join orders o on o.center_id = r.center_id and o.uuid = r.order_uuid
    where r.order_uuid is not null and o.uuid is null
  )
  select m.seq, m.target, ${isRefused(kind)} as target_refused
  from missing m
  where m.refused or exists (
    select from bookings b
    where b.center_id = m.center_id and b.id = m.booking_id and b.order_uuid = m.target
  )
  order by m.seq`

/** Bookings with a session that does not exist, once for each. `kind` is the sessions' place in the stage. */
export const missingSessionsSql = (kind: number): Sql => sql`
  with missing as materialized (
    select r.seq, r.center_id, r.booking_id, g.session_id as target, r.refused
    from import_references r
    cross join unnest(r.session_ids) as g (session_id)
    left join sessions s on s.center_id = r.center_id and s.id = g.session_id
    where s.id is null
  )
  select m.seq, m.target, ${isRefused(kind)} as target_refused
  from missing m
  where m.refused or exists (
    select from bookings b
    where b.center_id = m.center_id and b.id = m.booking_id and m.target = any (b.session_ids)
  )
  order by m.seq`

// A booking that this import itself gave the reference is reported as that booking's problem, not here.

/** Removed customers that a booking still refers to; one booking for each. By bookings_by_customer. */
export const customersInUseSql = (kind: number): Sql => sql`
  select distinct on (m.seq) m.seq, b.id as booking_id
  from import_removals m
  join bookings b on b.center_id = m.center_id and b.customer_id = m.key
  where m.kind = ${kind}
    and not exists (select from customers c where c.center_id = m.center_id and c.id = m.key)
    and not exists (
      select from import_references r
      where r.center_id = b.center_id and r.booking_id = b.id and r.customer_id = b.customer_id and not r.refused
    )
  order by m.seq, b.id`

/** Removed orders that a booking still refers to; one booking for each. By bookings_by_order. */
export const ordersInUseSql = (kind: number): Sql => sql`
  select distinct on (m.seq) m.seq, b.id as booking_id
  from import_removals m
  join bookings b on b.center_id = m.center_id and b.order_uuid = m.key
  where m.kind = ${kind}
    and not exists (select from orders o where o.center_id = m.center_id and o.uuid = m.key)
    and not exists (
      select from import_references r
      where r.center_id = b.center_id and r.booking_id = b.id and r.order_uuid = b.order_uuid and not r.refused
    )
  order by m.seq, b.id`

/** Removed sessions that a booking still belongs to; one booking for each. By booking_sessions' primary key. */
export const sessionsInUseSql = (kind: number): Sql => sql`
  select distinct on (m.seq) m.seq, b.booking_id
  from import_removals m
  join booking_sessions b on b.center_id = m.center_id and b.session_id = m.key
  where m.kind = ${kind}
    and not exists (select from sessions s where s.center_id = m.center_id and s.id = m.key)
    and not exists (
      select from import_references r
      where r.center_id = b.center_id and r.booking_id = b.booking_id
        and b.session_id = any (r.session_ids) and not r.refused
    )
  order by m.seq, b.booking_id`

/** Which kinds of records a center still has. */
export const centerContentsSql = (centerId: string): Sql => sql`
  select
    exists (select from meta_fields where center_id = ${centerId}) as "metaField",
    exists (select from terms where center_id = ${centerId}) as term,
    exists (select from sessions where center_id = ${centerId}) as session,
    exists (select from orders where center_id = ${centerId}) as "order",
    exists (select from customers where center_id = ${centerId}) as customer,
    exists (select from bookings where center_id = ${centerId}) as booking`

/** A customer that has a value in a custom field that is not of the given type; all values with no type. */
export const customerWithMetaSql = (centerId: string, key: string, type: string | null): Sql => sql`
  select id
  from customers
  where center_id = ${centerId} and meta ? ${key} and (${misfit(key, type)})
  order by id
  limit 1`

/** The same of bookings. */
export const bookingWithMetaSql = (centerId: string, key: string, type: string | null): Sql => sql`
  select id
  from bookings
  where center_id = ${centerId} and meta ? ${key} and (${misfit(key, type)})
  order by id
  limit 1`

const misfit = (key: string, type: string | null): Sql => sql`
  case ${type}::text
    when 'date' then (meta ->> ${key}) !~ '^[0-9]{4}-[0-9]{2}-[0-9]{2}$'
    when 'string' then jsonb_typeof(meta -> ${key}) <> 'string'
    when 'number' then jsonb_typeof(meta -> ${key}) <> 'number'
    when 'boolean' then jsonb_typeof(meta -> ${key}) <> 'boolean'
    else true
  end`
