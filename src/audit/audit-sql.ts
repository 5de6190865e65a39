/** The statements of the audit trail; all go by the center. */
import sql, { empty, type Sql } from 'sql-template-tag'

export interface HeadRow {
  center_id: string
  seq: number
  hash: string
  pruned_seq: number
  pruned_hash: string
}

const headColumns = sql`center_id, seq, encode(hash, 'hex') as hash, pruned_seq,
  encode(pruned_hash, 'hex') as pruned_hash`

/** The heads of these centers, held until the transaction ends; in one order, so that nobody deadlocks. */
export function lockHeads(centers: readonly string[]): Sql {
  return sql`
    select ${headColumns}
    from audit_heads
    where center_id = any(${centers})
    order by center_id
    for update`
}

/** Heads for centers that have none yet; harmless when another instance is making them too. */
export function addHeads(centers: readonly string[]): Sql {
  return sql`
    insert into audit_heads (center_id)
    select center_id from unnest(${centers}::text[]) as c (center_id) order by center_id collate "C"
    on conflict (center_id) do nothing`
}

/** Which centers have a trail at all: for the commands and the daily pruning, which go through each of them. */
export const selectAuditedCenters: Sql = sql`select center_id from audit_heads order by center_id`

/** The same, and those of which only entries are left: somebody may have taken the head away. */
export const selectTrails: Sql = sql`
  select center_id from audit_heads
  union
  select center_id from audit_entries
  order by center_id`

/** Whether a writing whose confirmation was lost has happened all the same. Leans on audit_entries_by_time. */
export function selectBatch(center: string, batch: string, since: string): Sql {
  return sql`
    select 1 as found
    from audit_entries
    where center_id = ${center} and at >= ${since} and batch = ${batch}
    limit 1`
}

export interface NewEntryRow {
  readonly center_id: string
  readonly seq: number
  /** ISO */
  readonly at: string
  readonly batch: string
  readonly public_key: string
  readonly app_id: string
  readonly key_name: string
  readonly operation: string
  readonly query: string
  readonly scopes: string
  readonly records: number
  readonly record_list: string | null
  readonly revision: number
  readonly reads: number
  readonly requests: string
  readonly previous_hash: string
  readonly hash: string
}

export interface NewBatch {
  readonly entries: readonly NewEntryRow[]
  readonly recordLists: readonly { readonly center_id: string; readonly hash: string; readonly ids: string }[]
  readonly heads: readonly { readonly center_id: string; readonly seq: number; readonly hash: string }[]
  /** the last read of each key, ISO */
  readonly keys: readonly { readonly center_id: string; readonly public_key: string; readonly at: string }[]
}

/**
 * Writes a batch, and the keys' last use, in one statement. The heads are locked by the same transaction.
 *
 * A key that somebody is just changing (`keys rotate`) is passed over rather than waited for: it is used again
 * in a moment. One used within the last ten seconds is left as it is, which saves most of the writing.
 */
export function insertBatch(batch: NewBatch): Sql {
  return sql`
    with lists as (
      insert into audit_record_lists (center_id, hash, ids)
      select l.center_id, decode(l.hash, 'hex'), l.ids
      from json_to_recordset(${JSON.stringify(batch.recordLists)}::json) as l (center_id text, hash text, ids text)
      on conflict (center_id, hash) do nothing
    ),
    heads as (
      update audit_heads h
      set seq = n.seq, hash = decode(n.hash, 'hex')
      from json_to_recordset(${JSON.stringify(batch.heads)}::json) as n (center_id text, seq bigint, hash text)
      where h.center_id = n.center_id
    ),
    used as (
      update api_keys k
      set last_used_at = u.at
      from (
        select free.center_id, free.public_key, n.at
        from json_to_recordset(${JSON.stringify(batch.keys)}::json)
          as n (center_id text, public_key text, at timestamptz)
        join api_keys free on free.center_id = n.center_id and free.public_key = n.public_key
        where free.last_used_at is null or free.last_used_at < n.at - interval '10 seconds'
        for update of free skip locked
      ) u
      where k.center_id = u.center_id and k.public_key = u.public_key
    )
    insert into audit_entries (center_id, seq, at, batch, public_key, app_id, key_name, operation, query,
      scopes, records, record_list, revision, reads, requests, previous_hash, hash)
    select e.center_id, e.seq, e.at, e.batch, e.public_key, e.app_id, e.key_name, e.operation, e.query,
      e.scopes, e.records, decode(e.record_list, 'hex'), e.revision, e.reads, e.requests,
      decode(e.previous_hash, 'hex'), decode(e.hash, 'hex')
    from json_to_recordset(${JSON.stringify(batch.entries)}::json) as e (
      center_id text, seq bigint, at timestamptz, batch text, public_key text, app_id text, key_name text,
      operation text, query text, scopes text, records integer, record_list text, revision bigint,
      reads integer, requests text, previous_hash text, hash text
    )`
}

export interface EntryRow {
  center_id: string
  seq: number
  at_micros: number
  batch: string
  public_key: string
  app_id: string
  key_name: string
  operation: string
  query: string
  scopes: string
  records: number
  record_list: string | null
  revision: number
  reads: number
  requests: string
  previous_hash: string
  hash: string
}

const entryColumns = sql`
  e.center_id, e.seq, (extract(epoch from e.at) * 1000000)::bigint as at_micros, e.batch, e.public_key,
  e.app_id, e.key_name, e.operation, e.query, e.scopes, e.records, encode(e.record_list, 'hex') as record_list,
  e.revision, e.reads, e.requests, encode(e.previous_hash, 'hex') as previous_hash,
  encode(e.hash, 'hex') as hash`

/** A center's entries in their order, a piece at a time. */
export function selectEntries(center: string, after: { seq: number; limit: number }): Sql {
  return sql`
    select ${entryColumns}
    from audit_entries e
    where e.center_id = ${center} and e.seq > ${after.seq}
    order by e.seq
    limit ${after.limit}`
}

/** The end of a center's chain by its head and by its entries, both of one moment. */
export function selectEnds(center: string): Sql {
  return sql`
    select ${headColumns}, (select max(e.seq) from audit_entries e where e.center_id = ${center}) as last_seq
    from (select 1) as one
    left join audit_heads on center_id = ${center}`
}

/** A center's record lists by their hash, a piece at a time. */
export function selectRecordLists(center: string, after: { hash: string; limit: number }): Sql {
  return sql`
    select encode(hash, 'hex') as hash, ids
    from audit_record_lists
    where center_id = ${center} and hash > decode(${after.hash}, 'hex')
    order by hash
    limit ${after.limit}`
}

/** The entries of a record list, the first few. */
export function selectEntriesOfList(center: string, hash: string): Sql {
  return sql`
    select seq
    from audit_entries
    where center_id = ${center} and record_list = decode(${hash}, 'hex')
    order by seq
    limit 10`
}

/** The entries whose record list is not there, the first few. */
export function selectEntriesWithoutList(center: string): Sql {
  return sql`
    select e.seq
    from audit_entries e
    where e.center_id = ${center} and e.record_list is not null and not exists (
      select 1 from audit_record_lists l where l.center_id = ${center} and l.hash = e.record_list
    )
    order by e.seq
    limit 10`
}

/** Takes the turn to prune; another instance that has it is not waited for. */
export const takePruningTurn = (lock: number): Sql => sql`select pg_try_advisory_xact_lock(${lock}) as taken`

/** The oldest entries of a center, as far as pruning looks at once. */
export function selectOldest(center: string, after: { seq: number; limit: number }): Sql {
  return sql`
    select seq, at, encode(hash, 'hex') as hash
    from audit_entries
    where center_id = ${center} and seq > ${after.seq}
    order by seq
    limit ${after.limit}`
}

/** Takes out the entries up to one and the record lists that only they had, and notes where the chain now begins. */
export function deleteEntries(center: string, upTo: { seq: number; hash: string }): Sql {
  return sql`
    with gone as (
      delete from audit_entries where center_id = ${center} and seq <= ${upTo.seq}
      returning record_list
    ),
    lists as (
      delete from audit_record_lists l
      where l.center_id = ${center}
        and l.hash in (select record_list from gone where record_list is not null)
        and not exists (
          select 1 from audit_entries e
          where e.center_id = ${center} and e.record_list = l.hash and e.seq > ${upTo.seq}
        )
    )
    update audit_heads set pruned_seq = ${upTo.seq}, pruned_hash = decode(${upTo.hash}, 'hex')
    where center_id = ${center}`
}

/** The bookings that a guest's question is about, with their orders. */
export function selectBookings(
  centers: readonly string[],
  wanted: { readonly booking: string } | { readonly customer: string },
): Sql {
  const which =
    'booking' in wanted
      ? sql`(b.id = ${wanted.booking} or b.booking_id = ${wanted.booking})`
      : sql`b.customer_id = ${wanted.customer}`
  return sql`
    select b.center_id, b.id, b.order_uuid,
      to_char(o.order_date at time zone c.timezone, 'YYYY-MM-DD') as order_day
    from bookings b
    join centers c on c.center_id = b.center_id
    left join orders o on o.center_id = b.center_id and o.uuid = b.order_uuid
    where b.center_id = any(${centers}) and ${which}`
}

export function selectZones(centers: readonly string[]): Sql {
  return sql`select center_id, timezone from centers where center_id = any(${centers})`
}

/** What entries to list. All arrays of `within` belong together. */
export interface EntryFilter {
  /** the centers, each with the moments between which, ISO */
  readonly within: {
    readonly centers: readonly string[]
    readonly since: readonly string[]
    readonly until: readonly string[]
  }
  /** a public key or an application */
  readonly key: string | undefined
  readonly operations: readonly string[] | undefined
  /** reads that named one of these records, or may have had it among too many to name */
  readonly records: readonly WantedRecord[] | undefined
}

export interface WantedRecord {
  readonly center_id: string
  /** the operations that name records of its kind */
  readonly operations: readonly string[]
  /** as it stands in a record list */
  readonly needle: string
  /** of an order: the day that a list too long to name its orders covers */
  readonly day: string | null
}

export interface ListedRow extends EntryRow {
  /** the record list, null where there is none */
  ids: string | null
}

/** Entries, newest first, a piece at a time. Leans on audit_entries_by_time. */
export function selectListed(
  { within, key, operations, records }: EntryFilter,
  after: { atMicros: number; center: string; seq: number } | undefined,
  limit: number,
): Sql {
  return sql`
    ${records === undefined ? empty : withFound(records)}
    select ${entryColumns}, l.ids
    from unnest(${within.centers}::text[], ${within.since}::timestamptz[], ${within.until}::timestamptz[])
      as w (center_id, since, until)
    join audit_entries e on e.center_id = w.center_id and e.at between w.since and w.until
    left join audit_record_lists l on l.center_id = e.center_id and l.hash = e.record_list
    where e.center_id = any(${within.centers})
      ${key === undefined ? empty : sql`and (e.public_key = ${key} or e.app_id = ${key})`}
      ${operations === undefined ? empty : sql`and e.operation = any(${operations})`}
      ${records === undefined ? empty : isWanted}
      ${
        after === undefined
          ? empty
          : sql`and (e.at, e.center_id, e.seq) <
              ('epoch'::timestamptz + ${after.atMicros} * interval '1 microsecond', ${after.center}, ${after.seq})`
      }
    order by e.at desc, e.center_id desc, e.seq desc
    limit ${limit}`
}

// The lists are searched as text: a question once in a while is not worth an index that every read pays for.
const withFound = (records: readonly WantedRecord[]): Sql => sql`
  with wanted as materialized (
    select w.center_id, w.needle, w.day,
      array(select json_array_elements_text(w.operations)) as operations
    from json_to_recordset(${JSON.stringify(records)}::json)
      as w (center_id text, operations json, needle text, day date)
  ),
  found as materialized (
    select distinct l.center_id, l.hash, operation
    from wanted
    join audit_record_lists l on l.center_id = wanted.center_id and strpos(l.ids, wanted.needle) > 0,
    unnest(wanted.operations) as operation
  )`

// A list too long to name its orders covers all of its days, so the order was among them.
const isWanted: Sql = sql`
  and (
    exists (
      select 1 from found f
      where f.center_id = e.center_id and f.hash = e.record_list and f.operation = e.operation
    )
    or (e.record_list is null and e.records > 0 and exists (
      select 1 from wanted
      where wanted.center_id = e.center_id and e.operation = any(wanted.operations)
        and wanted.day between substring(e.query from 'startDate=([0-9]{4}-[0-9]{2}-[0-9]{2})')::date
          and substring(e.query from 'endDate=([0-9]{4}-[0-9]{2}-[0-9]{2})')::date
    ))
  )`
