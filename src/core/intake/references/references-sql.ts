/** Checks at the end of an import: the targets of all references must exist, in whatever order the records came. */
import sql, { empty, raw, type Sql } from 'sql-template-tag'
import type { BookingReference } from './booking-references.ts'

/** A reference to a missing record, and the line that contains it. */
export interface BrokenReference {
  readonly seq: number
  readonly target: string
  /** Whether the target was among the records, but on a refused line. */
  readonly target_refused: boolean
}

/** A removed record that a booking still refers to, and the line that removed it. */
export interface BrokenRemoval {
  readonly seq: number
  readonly booking_id: string
}

export const createReferencesSql: readonly Sql[] = [
  // New references of bookings in this import. Those of refused bookings are included, so that their problems are
  // reported too.
  sql`create temporary table if not exists import_references (
    seq bigint not null,
    center_id text collate "C" not null,
    booking_id text collate "C" not null,
    customer_id text collate "C",
    order_uuid text collate "C",
    session_ids text[] not null,
    refused boolean not null
  ) on commit drop`,
  sql`create temporary table if not exists import_removals (
    seq bigint not null,
    kind smallint not null,
    center_id text collate "C" not null,
    key text collate "C" not null
  ) on commit drop`,
]

/** Notes references, given as a JSON array. */
export const noteReferencesSql = (rows: string): Sql => sql`
  insert into import_references (seq, center_id, booking_id, customer_id, order_uuid, session_ids, refused)
  select seq, center_id, booking_id, customer_id, order_uuid, coalesce(session_ids, '{}'), refused
  from json_to_recordset(${rows}::json) as r (
    seq bigint, center_id text, booking_id text, customer_id text, order_uuid text, session_ids text[],
    refused boolean
  )`

/** Notes removals, given as a JSON array. */
export const noteRemovalsSql = (rows: string): Sql => sql`
  insert into import_removals (seq, kind, center_id, key)
  select seq, kind, center_id, key
  from json_to_recordset(${rows}::json) as r (seq bigint, kind smallint, center_id text, key text)`

export const analyzeReferencesSql: readonly Sql[] = [
  sql`analyze import_references`,
  sql`analyze import_removals`,
]

/** Whether the target was among the records, on a refused line. */
const isRefused = (kind: number): Sql => sql`
  exists (
    select from import_stage s
    where s.refused and s.kind = ${kind} and s.center_id = m.center_id and s.key = m.target
  )`

/**
 * References of bookings to records that do not exist, one row for each. `kind` is the number of the target's kind in
 * the staging table.
 *
 * The missing targets, usually almost none, are found first, and only these are then checked further: the planner would
 * otherwise check every booking.
 */
export const missingTargetsSql = (reference: BookingReference, kind: number): Sql => {
  const { table, key, column, isList } = reference
  const named = raw(isList ? 'g.target' : `r.${column}`)
  return sql`
  with missing as materialized (
    select r.seq, r.center_id, r.booking_id, ${named} as target, r.refused
    from import_references r
    ${isList ? raw(`cross join unnest(r.${column}) as g (target)`) : empty}
    left join ${raw(table)} t on t.center_id = r.center_id and t.${raw(key)} = ${named}
    where ${named} is not null and t.${raw(key)} is null
  )
  select m.seq, m.target, ${isRefused(kind)} as target_refused
  from missing m
  where m.refused or exists (
    select from bookings b
    where b.center_id = m.center_id and b.id = m.booking_id and ${names('b', reference, 'm.target')}
  )
  order by m.seq`
}

/**
 * Removed records that a booking still refers to, with one such booking for each. Uses bookings_by_customer and
 * bookings_by_order, and for sessions booking_sessions_by_start. References that this import itself wrote are reported
 * for the booking, not here.
 */
export const targetsInUseSql = (reference: BookingReference, kind: number): Sql => {
  const { table, key, column, isList } = reference
  const users = isList ? 'booking_sessions' : 'bookings'
  const id = isList ? 'u.booking_id' : 'u.id'
  const target = isList ? 'u.session_id' : `u.${column}`
  return sql`
  select distinct on (m.seq) m.seq, ${raw(id)} as booking_id
  from import_removals m
  join ${raw(users)} u on u.center_id = m.center_id and ${raw(target)} = m.key
  where m.kind = ${kind}
    and not exists (select from ${raw(table)} t where t.center_id = m.center_id and t.${raw(key)} = m.key)
    and not exists (
      select from import_references r
      where r.center_id = u.center_id and r.booking_id = ${raw(id)} and ${names('r', reference, target)}
        and not r.refused
    )
  order by m.seq, ${raw(id)}`
}

/** Whether a booking, or its noted reference, refers to a record. */
const names = (alias: string, { column, isList }: BookingReference, target: string): Sql =>
  raw(isList ? `${target} = any (${alias}.${column})` : `${alias}.${column} = ${target}`)

/** Which kinds of records a center still has. */
export const centerContentsSql = (centerId: string): Sql => sql`
  select
    exists (select from meta_fields where center_id = ${centerId}) as "metaField",
    exists (select from terms where center_id = ${centerId}) as term,
    exists (select from sessions where center_id = ${centerId}) as session,
    exists (select from orders where center_id = ${centerId}) as "order",
    exists (select from customers where center_id = ${centerId}) as customer,
    exists (select from bookings where center_id = ${centerId}) as booking`

/** The meal rules of a center. By primary key. */
export const mealRulesSql = (centerId: string): Sql => sql`
  select meal_rules from centers where center_id = ${centerId}`

/** A record with a value in a custom field that does not have this type; with any value if there is no type. */
export const recordWithMetaSql = (
  owner: 'customer' | 'booking',
  centerId: string,
  key: string,
  type: string | null,
): Sql => sql`
  select id
  from ${raw(owner === 'customer' ? 'customers' : 'bookings')}
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

/** Number of imported customers without a booking, which no list of guests shows. Uses `bookings_by_customer`. */
export const withoutBookingSql = (customers: number): Sql => sql`
  select count(*)::integer as count
  from import_stage s
  join customers c on c.center_id = s.center_id and c.id = s.key
  where s.kind = ${customers} and s.seq = s.first_seq and not s.refused
    and not exists (select from bookings b where b.center_id = s.center_id and b.customer_id = s.key)`
