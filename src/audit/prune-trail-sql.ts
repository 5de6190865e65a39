/** The statements of pruning. */
import sql, { type Sql } from 'sql-template-tag'
import { entryRecordset, insertedColumns, insertedValues } from './entries-sql.ts'
import type { Entry } from './entry.ts'

/** Tries to get the lock for pruning, without waiting for another instance that has it. */
export const takePruningTurn = (lock: number): Sql => sql`select pg_try_advisory_xact_lock(${lock}) as taken`

export interface TrailTimesRow {
  /** time of the database's clock; all times are epoch ms */
  now: number
  /** the newest time of all trails; null if they are empty */
  newest: number | null
  /** the newest time that is not in the future */
  newest_past: number | null
  /** the nearest times before and after the moment that is `span` before `newest_past` */
  before_span: number | null
  after_span: number | null
}

/**
 * The database's clock, and the newest times of all trails to check it against. A few steps along audit_entries_by_time
 * for each center.
 */
export function selectTrailTimes(spanMs: number): Sql {
  return sql`
    with clock as materialized (select clock_timestamp() as now),
    newest as materialized (
      select max(n.at) as at, max(p.at) as past
      from audit_heads h
      cross join clock
      cross join lateral (select max(at) as at from audit_entries where center_id = h.center_id) n
      cross join lateral (
        select max(at) as at from audit_entries where center_id = h.center_id and at <= clock.now
      ) p
    ),
    span as materialized (
      select max(b.at) as before_span, min(a.at) as after_span
      from audit_heads h
      cross join clock
      cross join (select past - ${spanMs} * interval '1 millisecond' as start from newest) s
      cross join lateral (select max(at) as at from audit_entries where center_id = h.center_id and at <= s.start) b
      cross join lateral (
        select min(at) as at from audit_entries
        where center_id = h.center_id and at > s.start and at <= clock.now
      ) a
    )
    select clock.now, newest.at as newest, newest.past as newest_past, span.before_span, span.after_span
    from clock cross join newest cross join span`
}

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

/** The newest entry with a read. It is kept however old it is, so that a trail is never emptied. */
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
