/** The statements that read a center's trail for verification. */
import sql, { join, raw, type Sql } from 'sql-template-tag'
import { entryColumns } from '../entries-sql.ts'
import { headColumns } from '../heads-sql.ts'

/**
 * The centers that have a trail; those with only a part of one, because somebody may have deleted the head; and those
 * with a key that was used, because somebody may have deleted everything.
 */
export const selectTrails: Sql = sql`
  select center_id from audit_heads
  union
  select center_id from audit_entries
  union
  select center_id from audit_record_lists
  union
  select center_id from api_keys where last_used_at is not null
  order by center_id`

/** A center's entries in their order, one piece at a time. */
export function selectEntries(center: string, after: { seq: number; limit: number }): Sql {
  return sql`
    select ${entryColumns}
    from audit_entries e
    where e.center_id = ${center} and e.seq > ${after.seq}
    order by e.seq
    limit ${after.limit}`
}

/**
 * The entries of a chain that name one of these hashes as that of the previous entry. Reads all entries of the center.
 */
export function selectFollowers(
  center: string,
  hashes: readonly string[],
  { prunedSeq, seq }: { prunedSeq: number; seq: number },
): Sql {
  return sql`
    select encode(e.previous_hash, 'hex') as hash, max(e.seq) as seq
    from audit_entries e
    where e.center_id = ${center} and e.seq > ${prunedSeq} and e.seq <= ${seq}
      and e.previous_hash = any(array(select decode(h, 'hex') from unnest(${hashes}::text[]) h))
    group by e.previous_hash`
}

/** The ends of a center's chain by its head, its entries and its keys, and the database's clock, from one snapshot. */
export function selectEnds(center: string): Sql {
  return sql`
    select ${headColumns}, clock_timestamp() as now,
      (select max(e.seq) from audit_entries e where e.center_id = ${center}) as last_seq,
      (select max(e.at) from audit_entries e where e.center_id = ${center} and e.reads > 0) as newest_read,
      (select max(k.last_used_at) from api_keys k where k.center_id = ${center}) as last_used
    from (select 1) as one
    left join audit_heads on center_id = ${center}`
}

/** A center's record lists by hash, one piece at a time: fewer than the limit if they are long. */
export function selectRecordLists(
  center: string,
  after: { hash: string; limit: number; bytes: number },
): Sql {
  return sql`
    select encode(hash, 'hex') as hash, ids
    from (
      select hash, ids, sum(octet_length(ids)) over (order by hash) - octet_length(ids) as bytes_before
      from (
        select hash, ids
        from audit_record_lists
        where center_id = ${center} and hash > decode(${after.hash}, 'hex')
        order by hash
        limit ${after.limit}
      ) as lists
    ) as sized
    where bytes_before < ${after.bytes}
    order by hash`
}

/** The first few entries of a record list. */
export function selectEntriesOfList(center: string, hash: string): Sql {
  return sql`
    select seq
    from audit_entries
    where center_id = ${center} and record_list = decode(${hash}, 'hex')
    order by seq
    limit 10`
}

/** The first few entries whose record list does not exist. */
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

/**
 * The number of record lists that belong to no entry. Uses the index by record list of each partition.
 * @param detached months that were dropped, and whose lists are still being removed (trail-months.ts)
 */
export function countUnusedLists(center: string, detached: readonly string[]): Sql {
  const isOf = (table: string) => sql`exists (
      select 1 from ${raw(table)} e where e.center_id = ${center} and e.record_list = l.hash
    )`
  return sql`
    select count(*) as lists
    from audit_record_lists l
    where l.center_id = ${center} and not (${join(['audit_entries', ...detached].map(isOf), ' or ')})`
}

export interface PeriodRow {
  /** null if there is no entry */
  first: number | null
  last: number | null
}

/**
 * The numbers of the first and last entry of a period (ISO, both inclusive). Uses the index by time of its partitions: without
 * `offset 0`, the planner would look for the smallest number, along all entries of the month before the period.
 */
export const selectPeriod = (center: string, since: string, until: string): Sql => sql`
  select min(seq) as first, max(seq) as last
  from (
    select e.seq
    from audit_entries e
    where e.center_id = ${center} and e.at between ${since} and ${until}
    offset 0
  ) own`

/** Numbers of the first and last entry of a part of a trail. */
export interface Part {
  readonly first: number
  readonly last: number
}

export interface NeighborsRow {
  /** what the first entry says is the hash of the entry before it */
  previous: string | null
  /** the hash of the entry before, and what the entry after says is the hash of the last one; null if there is no such entry */
  before: string | null
  after: string | null
}

/** What the entries around a part say of its ends. Exactly one row. */
export const selectNeighbors = (center: string, { first, last }: Part): Sql => sql`
  select
    (select encode(e.previous_hash, 'hex') from audit_entries e
      where e.center_id = ${center} and e.seq = ${first} limit 1) as previous,
    (select encode(e.hash, 'hex') from audit_entries e where e.center_id = ${center} and e.seq = ${first - 1} limit 1) as before,
    (select encode(e.previous_hash, 'hex') from audit_entries e
      where e.center_id = ${center} and e.seq = ${last + 1} limit 1) as after`

/** The record lists that entries of a part name, one piece at a time; `ids` is null if a list does not exist. */
export const selectListsOfEntries = (
  center: string,
  { first, last }: Part,
  after: { hash: string; limit: number },
): Sql => sql`
  select encode(named.hash, 'hex') as hash, l.ids
  from (
    select distinct e.record_list as hash
    from audit_entries e
    where e.center_id = ${center} and e.seq between ${first} and ${last} and e.record_list > decode(${after.hash}, 'hex')
    order by hash
    limit ${after.limit}
  ) named
  left join audit_record_lists l on l.center_id = ${center} and l.hash = named.hash
  order by named.hash`
