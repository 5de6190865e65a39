/** The statements about the partitions of the trail (migrations/0058-trail-by-month.sql), and about dropping one. */
import sql, { raw, type Sql } from 'sql-template-tag'
import { entryRecordset, insertedColumns, insertedValues } from './entries-sql.ts'
import type { Entry } from './entry.ts'

/** Whether this role owns the trail, and so may add and drop its partitions. */
export const ownsTrail: Sql = sql`
  select pg_has_role(relowner, 'usage') as owns from pg_class where oid = 'audit_entries'::regclass`

/** Adds a partition for each month up to this many months from now. */
export const addMonths = (ahead: number): Sql => sql`
  select add_trail_months(clock_timestamp() + make_interval(months => ${ahead})) as added`

export interface MonthRow {
  name: string
  /** epoch ms; all its entries are earlier */
  until: number
}

/** The partitions of which all entries are earlier than this time (ISO), oldest first. */
export const selectMonthsBefore = (before: string): Sql => sql`
  select name, until from (
    select c.relname::text as name,
      substring(pg_get_expr(c.relpartbound, c.oid) from $$TO \\('([^']+)'\\)$$)::timestamptz as until
    from pg_inherits i join pg_class c on c.oid = i.inhrelid
    where i.inhparent = 'audit_entries'::regclass
  ) months
  where until <= ${before}
  order by until`

/** Tables that were partitions, and whose lists of records are still to be removed. */
export const selectDetachedMonths: Sql = sql`
  select relname::text as name from pg_class
  where relnamespace = (select relnamespace from pg_class where oid = 'audit_entries'::regclass)
    and relkind = 'r' and not relispartition and relname ~ '^audit_entries_(first|\\d+_\\d\\d)$'
  order by relname`

/** A name from the catalog, as `selectMonthsBefore` and `selectDetachedMonths` return it. */
function table(month: string): Sql {
  if (!/^audit_entries_(first|\d+_\d\d)$/.test(month)) throw new Error('not a partition of the trail')
  return raw(month)
}

/** The centers with entries in a month, found by skipping from one to the next along its primary key. */
export const selectCentersOfMonth = (month: string): Sql => sql`
  with recursive found as (
    (select center_id from ${table(month)} order by center_id limit 1)
    union all
    select (
      select e.center_id from ${table(month)} e where e.center_id > found.center_id order by e.center_id limit 1
    )
    from found where found.center_id is not null
  )
  select center_id from found where center_id is not null order by center_id`

export interface LastPrunedRow {
  center_id: string
  seq: number
  hash: string
  /** epoch ms of the newest entry up to this one, by its own time */
  newest: number
}

/**
 * For each of these centers, the last entry that is pruned together with what is earlier than a time (ISO): before the first
 * entry that stays because it is not earlier, and before the newest read. An entry of the future stays for neither reason.
 * No row: nothing of the center is pruned. A few steps along the indexes of each partition.
 */
export const selectLastPruned = (centers: readonly string[], until: string, now: string): Sql => sql`
  select h.center_id, last.seq, encode(last.hash, 'hex') as hash, newest.at as newest
  from audit_heads h
  cross join lateral (
    select least(
      (select min(e.seq) from audit_entries e where e.center_id = h.center_id and e.at >= ${until} and e.at <= ${now}),
      coalesce((select max(e.seq) from audit_entries e where e.center_id = h.center_id and e.reads > 0), 0)
    ) as seq
  ) stays
  cross join lateral (
    select e.seq, e.hash from audit_entries e
    where e.center_id = h.center_id and e.at < ${until} and e.seq < stays.seq
    order by e.seq desc limit 1
  ) last
  cross join lateral (
    select max(e.at) as at from audit_entries e
    where e.center_id = h.center_id and e.at < ${until} and e.seq <= last.seq
  ) newest
  where h.center_id = any(${centers})
  order by h.center_id`

/** The end of what is pruned of each center. */
export interface PrunedTo {
  readonly centers: readonly string[]
  /** parallel; 0 for a center of which nothing is pruned */
  readonly seqs: readonly number[]
}

const ends = ({ centers, seqs }: PrunedTo): Sql =>
  sql`unnest(${centers}::text[], ${seqs}::bigint[]) as pruned (center_id, seq)`

/** The number of entries of a month that outlive it. */
export const countOutliving = (month: string, to: PrunedTo): Sql => sql`
  select coalesce(sum(own.entries), 0)::bigint as entries
  from ${ends(to)}
  cross join lateral (
    select count(*) as entries from ${table(month)} e where e.center_id = pruned.center_id and e.seq > pruned.seq
  ) own`

/** From now on, its entries are not in the trail. */
export const detachMonth = (month: string): Sql =>
  sql`alter table audit_entries detach partition ${table(month)}`

/** Adds the entries of a detached month that outlive it. They go into the last partition, because the month has none any more. */
export const keepOutliving = (month: string, to: PrunedTo): Sql => sql`
  insert into audit_entries (${insertedColumns})
  select ${insertedColumns}
  from (
    select own.* from ${ends(to)}
    cross join lateral (
      select * from ${table(month)} e where e.center_id = pruned.center_id and e.seq > pruned.seq
    ) own
  ) outliving`

/** Deletes what is pruned of other partitions: entries of the future, and those that had outlived an earlier month. */
export const deletePruned = (to: PrunedTo): Sql => sql`
  with gone as (
    delete from audit_entries e using ${ends(to)}
    where e.center_id = pruned.center_id and e.seq <= pruned.seq
    returning e.center_id, e.record_list, e.seq
  )
  delete from audit_record_lists l using gone g
  where l.center_id = g.center_id and l.hash = g.record_list and not exists (
    select from audit_entries e, ${ends(to)}
    where e.center_id = l.center_id and e.record_list = l.hash
      and pruned.center_id = e.center_id and e.seq > pruned.seq
  )`

export interface PruningOfCenter {
  readonly entry: Entry
  /** the last entry pruned */
  readonly through: number
  readonly hash: string
}

/** Adds the entries that record prunings, and notes where each trail begins. The same transaction holds the heads. */
export function insertPrunings(prunings: readonly PruningOfCenter[]): Sql {
  const heads = prunings.map(({ entry: { center_id, seq, hash }, through, hash: pruned_hash }) => ({
    center_id,
    seq,
    hash,
    pruned_seq: through,
    pruned_hash,
  }))
  return sql`
    with heads as (
      update audit_heads h
      set seq = n.seq, hash = decode(n.hash, 'hex'), pruned_seq = n.pruned_seq, pruned_hash = decode(n.pruned_hash, 'hex')
      from json_to_recordset(${JSON.stringify(heads)}::json)
        as n (center_id text, seq bigint, hash text, pruned_seq bigint, pruned_hash text)
      where h.center_id = n.center_id
    )
    insert into audit_entries (${insertedColumns})
    select ${insertedValues}
    from json_to_recordset(${JSON.stringify(prunings.map(({ entry }) => entry))}::json) as n (${entryRecordset})`
}

export interface ListOfMonth {
  readonly center_id: string
  /** hexadecimal */
  readonly hash: string
}

/** The lists of records that entries of a detached month name, one piece at a time, along its index. */
export const selectListsOfMonth = (month: string, after: ListOfMonth, limit: number): Sql => sql`
  select center_id, encode(record_list, 'hex') as hash
  from (
    select distinct center_id, record_list
    from ${table(month)}
    where record_list is not null and (center_id, record_list) > (${after.center_id}, decode(${after.hash}, 'hex'))
    order by center_id, record_list
    limit ${limit}
  ) lists
  order by center_id, record_list`

/** Deletes lists that belong to no entry any more. The same transaction holds the heads of their centers. */
export const deleteUnusedLists = (lists: readonly ListOfMonth[]): Sql => sql`
  delete from audit_record_lists l
  using json_to_recordset(${JSON.stringify(lists)}::json) as n (center_id text, hash text)
  where l.center_id = n.center_id and l.hash = decode(n.hash, 'hex') and not exists (
    select from audit_entries e where e.center_id = l.center_id and e.record_list = l.hash
  )`

/**
 * The months that have ended and whose indexes are still as they grew. Entries of many centers are mixed, so the pages of
 * the indexes are half empty until they are built again.
 */
export const selectMonthsToCompact: Sql = sql`
  select name, until from (
    select c.relname::text as name, c.oid,
      substring(pg_get_expr(c.relpartbound, c.oid) from $$TO \\('([^']+)'\\)$$)::timestamptz as until
    from pg_inherits i join pg_class c on c.oid = i.inhrelid
    where i.inhparent = 'audit_entries'::regclass
  ) months
  where until <= clock_timestamp() and obj_description(oid, 'pg_class') is distinct from 'compact'
  order by until`

/** The command that builds the indexes of a month again, while it is read and written. */
export const compactMonth = (month: string): string => `reindex table concurrently ${table(month).sql}`

export const noteCompact = (month: string): Sql => sql`comment on table ${table(month)} is 'compact'`

export const dropMonth = (month: string): Sql => sql`drop table ${table(month)}`
