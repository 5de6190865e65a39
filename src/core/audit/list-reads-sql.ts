/** The statements that list who read what. */
import sql, { empty, raw, type Sql } from 'sql-template-tag'
import { epochMs } from '../database/json-rows.ts'
import { localTime } from '../locale/local-time-sql.ts'
import { entryColumns } from './entries-sql.ts'
import type { Entry } from './entry.ts'
import { customerInTrail, OF_BOOKINGS, OF_CHECKS, OF_ORDERS } from './named-records.ts'

/** The bookings of the guest in question, with their orders. */
export function selectBookings(
  centers: readonly string[],
  wanted: { readonly booking: string } | { readonly customer: string },
): Sql {
  const which =
    'booking' in wanted
      ? sql`(b.id = ${wanted.booking} or b.booking_id = ${wanted.booking})`
      : sql`b.customer_id = ${wanted.customer}`
  return sql`
    select b.center_id, b.id, b.customer_id, b.order_uuid,
      ${raw(epochMs('o.order_date'))} as ordered, c.timezone
    from bookings b
    join centers c on c.center_id = b.center_id
    left join orders o on o.center_id = b.center_id and o.uuid = b.order_uuid
    where b.center_id = any(${centers}) and ${which}`
}

/** Which entries to list. The arrays of `within` are parallel. */
export interface EntryFilter {
  /** the centers, each with the bounds of its period, ISO */
  readonly within: {
    readonly centers: readonly string[]
    readonly since: readonly string[]
    readonly until: readonly string[]
  }
  /** a public key or an application */
  readonly key: string | undefined
  readonly operations: readonly string[] | undefined
  /** only reads that named one of these records, or may have included it among too many to name */
  readonly records: readonly WantedRecord[] | Sql | undefined
}

export interface WantedRecord {
  readonly center_id: string
  /** the operations that name records of its kind */
  readonly operations: readonly string[]
  /** its text in a record list */
  readonly needle: string
  /** for an order: its day, to find lists that are too long to name their orders */
  readonly day: string | null
}

export interface ListedRow extends Entry {
  /** the record list; null if there is none */
  ids: string | null
}

/**
 * Entries, newest first, one piece at a time. Uses audit_entries_by_time. With records, it reads the entries of the period and
 * the lists that they name, and no other: so the cost depends on the period, and not on the size of the trail.
 */
export function selectListed(
  filter: EntryFilter,
  after: Pick<Entry, 'at' | 'center_id' | 'seq'> | undefined,
  limit: number,
): Sql {
  const { within, key, operations, records } = filter
  const rest =
    after === undefined
      ? empty
      : sql`and (e.at, e.center_id, e.seq) <
          ('epoch'::timestamptz + ${after.at} * interval '1 microsecond', ${after.center_id}, ${after.seq})`
  return sql`
    ${records === undefined ? empty : withFound(records, within, rest)}
    select ${entryColumns},
      (select l.ids from audit_record_lists l where l.center_id = e.center_id and l.hash = e.record_list) as ids
    from ${periodsOf(within)}
    join audit_entries e on e.center_id = w.center_id and e.at between w.since and w.until
    where e.center_id = any(${within.centers}) and e.reads > 0
      ${key === undefined ? empty : sql`and (e.public_key = ${key} or e.app_id = ${key})`}
      ${operations === undefined ? empty : sql`and e.operation = any(${operations})`}
      ${records === undefined ? empty : isWanted}
      ${rest}
    order by e.at desc, e.center_id desc, e.seq desc
    limit ${limit}`
}

const periodsOf = ({ centers, since, until }: EntryFilter['within']): Sql =>
  sql`unnest(${centers}::text[], ${since}::timestamptz[], ${until}::timestamptz[]) as w (center_id, since, until)`

// The lists are searched as text: for occasional questions, an index that slows down every read is not worthwhile. Each is found by
// its hash (`offset 0`): a join would read all lists of all centers if the planner expects many entries.
const withFound = (
  records: readonly WantedRecord[] | Sql,
  within: EntryFilter['within'],
  rest: Sql,
): Sql => sql`
  with wanted as materialized (${Array.isArray(records) ? wantedAsRows(records) : records}),
  named as materialized (
    select distinct e.center_id, e.record_list
    from ${periodsOf(within)}
    join audit_entries e on e.center_id = w.center_id and e.at between w.since and w.until
    where e.center_id = any(${within.centers}) and e.record_list is not null
      and e.operation = any(array(select unnest(wanted.operations) from wanted))
      ${rest}
  ),
  found as materialized (
    select distinct named.center_id, named.record_list as hash, operation
    from named
    cross join lateral (
      select l.ids from audit_record_lists l where l.center_id = named.center_id and l.hash = named.record_list offset 0
    ) l
    join wanted on wanted.center_id = named.center_id and strpos(l.ids, wanted.needle) > 0,
    unnest(wanted.operations) as operation
  )`

const wantedAsRows = (records: readonly WantedRecord[]): Sql => sql`
    select w.center_id, w.needle, w.day,
      array(select json_array_elements_text(w.operations)) as operations
    from json_to_recordset(${JSON.stringify(records)}::json)
      as w (center_id text, operations json, needle text, day date)`

/**
 * The wanted records of a guest of one center, for a statement that finds them by itself: a booking by its identifier or
 * booking number, or all bookings of a customer, with their orders. A booking that was removed may have been read before.
 */
export function wantedOfGuest(
  { id: center, timezone: zone }: { readonly id: string; readonly timezone: string },
  guest: { readonly booking: string } | { readonly customer: string },
): Sql {
  const which =
    'booking' in guest
      ? sql`(b.id = ${guest.booking} or b.booking_id = ${guest.booking})`
      : sql`b.customer_id = ${guest.customer}`
  const named = 'booking' in guest ? sql`union select ${guest.booking}::text` : empty
  return sql`
    select ${center}::text as center_id, E'\n' || ids.id || E'\n' as needle, null::date as day,
      ${OF_BOOKINGS}::text[] as operations
    from (select b.id from bookings b where b.center_id = ${center} and ${which} ${named}) ids
    union all
    select distinct ${center}::text, E'\n' || ${customerInTrail('')}::text || b.customer_id || E'\n', null::date,
      ${OF_CHECKS}::text[]
    from bookings b where b.center_id = ${center} and ${which}
    union all
    select ${center}::text, E'\n' || b.order_uuid || E'\n', ${localTime(sql`o.order_date`, zone)}::date,
      ${OF_ORDERS}::text[]
    from bookings b
    left join orders o on o.center_id = b.center_id and o.uuid = b.order_uuid
    where b.center_id = ${center} and ${which} and b.order_uuid is not null`
}

// A list that is too long to name its orders includes all orders of its days, and a check that is includes every guest.
const isWanted: Sql = sql`
  and (
    exists (
      select 1 from found f
      where f.center_id = e.center_id and f.hash = e.record_list and f.operation = e.operation
    )
    or (e.record_list is null and e.records > 0 and exists (
      select 1 from wanted
      where wanted.center_id = e.center_id and e.operation = any(wanted.operations)
        and (
          wanted.day between substring(e.query from 'startDate=([0-9]{4}-[0-9]{2}-[0-9]{2})')::date
            and substring(e.query from 'endDate=([0-9]{4}-[0-9]{2}-[0-9]{2})')::date
          or e.operation = any(${OF_CHECKS}) and e.query not like '%outcome=done%'
        )
    ))
  )`
