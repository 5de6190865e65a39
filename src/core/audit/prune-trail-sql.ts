/** The statements of pruning. */
import sql, { type Sql } from 'sql-template-tag'
import { entryRecordset, insertedColumns, insertedValues } from './entries-sql.ts'
import type { Entry } from './entry.ts'

/** Tries to get the lock for pruning, without waiting for another instance that has it. */
export const takePruningLock = (lock: number): Sql => sql`select pg_try_advisory_xact_lock(${lock}) as taken`

export interface NewestTimesRow {
  /** time of the database's clock; all times are epoch ms */
  now: number
  /** the newest time of these trails; null if they are empty */
  newest: number | null
  /** the newest time that is not in the future */
  newest_past: number | null
}

/** The database's clock, and the newest times of these trails. A few steps along the index by time of each partition. */
export const selectNewestTimes = (centers: readonly string[]): Sql => sql`
  with clock as materialized (select clock_timestamp() as now)
  select (select now from clock) as now, max(n.at) as newest, max(p.at) as newest_past
  from unnest(${centers}::text[]) as h (center_id)
  cross join lateral (select max(e.at) as at from audit_entries e where e.center_id = h.center_id) n
  cross join lateral (
    select max(e.at) as at from audit_entries e
    where e.center_id = h.center_id and e.at <= (select now from clock)
  ) p`

export interface TimesAroundRow {
  before_span: number | null
  after_span: number | null
}

/** The nearest times of these trails before and after a moment (ISO), but not in the future. */
export const selectTimesAround = (centers: readonly string[], moment: string, now: string): Sql => sql`
  select max(b.at) as before_span, min(a.at) as after_span
  from unnest(${centers}::text[]) as h (center_id)
  cross join lateral (
    select max(e.at) as at from audit_entries e where e.center_id = h.center_id and e.at <= ${moment}
  ) b
  cross join lateral (
    select min(e.at) as at from audit_entries e
    where e.center_id = h.center_id and e.at > ${moment} and e.at <= ${now}
  ) a`

/** Those of these centers that have an entry to prune: one that is older than a time (ISO), and not the newest read. */
export const selectCentersToPrune = (centers: readonly string[], before: string): Sql => sql`
  select h.center_id
  from unnest(${centers}::text[]) as h (center_id)
  where exists (
    select from audit_entries e
    where e.center_id = h.center_id and e.at < ${before} and e.seq < (
      select max(n.seq) from audit_entries n where n.center_id = h.center_id and n.reads > 0
    )
  )
  order by h.center_id`

export interface OldestRow {
  seq: number
  /** epoch ms */
  at: number
  reads: number
  hash: string
}

/** The oldest entries of a center, as many as are pruned at once. */
export function selectOldest(center: string, limit: number): Sql {
  return sql`
    select seq, at, reads, encode(hash, 'hex') as hash
    from audit_entries
    where center_id = ${center}
    order by seq
    limit ${limit}`
}

/** The newest entry with a read. It is retained however old it is, so that a trail is never emptied. */
export function selectNewestRead(center: string): Sql {
  return sql`
    select seq
    from audit_entries
    where center_id = ${center} and reads > 0
    order by seq desc
    limit 1`
}

/**
 * Deletes the entries up to this one and the record lists used only by them, and inserts the entry that records the
 * pruning. The same transaction holds the head.
 */
export function replaceOldest(center: string, upTo: { seq: number; hash: string }, pruning: Entry): Sql {
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
    ),
    head as (
      update audit_heads
      set seq = ${pruning.seq}, hash = decode(${pruning.hash}, 'hex'),
        pruned_seq = ${upTo.seq}, pruned_hash = decode(${upTo.hash}, 'hex')
      where center_id = ${center}
    )
    insert into audit_entries (${insertedColumns})
    select ${insertedValues}
    from json_to_recordset(${JSON.stringify([pruning])}::json) as n (${entryRecordset})`
}

/** Whether this role may delete old entries of the trail. */
export const mayPruneTrail: Sql = sql`
  select has_table_privilege('audit_entries', 'delete') and has_table_privilege('audit_record_lists', 'delete') as may`
