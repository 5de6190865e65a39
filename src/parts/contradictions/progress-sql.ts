/** The statements that say how far the commits of a center have been evaluated. */
import sql, { type Sql } from 'sql-template-tag'
import type { CenterId } from '../../core/records/centers/center.ts'

/** What is to be done for a center. */
export interface DueRow {
  readonly center_id: string
  /** null: the center has no row yet */
  readonly evaluated: number | null
  /** the newest revision of the center */
  readonly newest: number
  readonly sweep_at: string | null
  readonly is_expired: boolean
}

/**
 * The next center with something to evaluate: one that has new commits before one with a sweep, and the one whose last
 * round is longest ago first. Only centers whose contradictions somebody may read, and that no other instance evaluates.
 * Returns no row if nothing is due. @param except centers that failed just now
 */
export const selectDue = (holder: string, except: readonly string[]): Sql => sql`
  select u.center_id, p.revision as evaluated, r.revision as newest, p.sweep_at,
    exists (
      select from contradictions k where k.center_id = u.center_id and k.expires_at <= clock_timestamp()
    ) as is_expired
  from (
    select center_id from api_keys where 'contradictions'::text = any (scopes) and revoked_at is null
    union
    select center_id from webhooks where 'contradictions'::text = any (scopes)
  ) u
  join center_revisions r on r.center_id = u.center_id
  left join contradiction_progress p on p.center_id = u.center_id
  where u.center_id <> all(${[...except]}::text[]) and not is_closed(u.center_id)
    and (p.leased_until is null or p.leased_until <= clock_timestamp() or p.leased_by = ${holder})
    and (
      p.center_id is null or r.revision > p.revision or p.sweep_at is not null
      or exists (
        select from contradictions k where k.center_id = u.center_id and k.expires_at <= clock_timestamp()
      )
    )
  order by p.center_id is not null and r.revision <= p.revision, p.turn_at nulls first, u.center_id
  limit 1`

/** Adds the row of a center whose contradictions are evaluated for the first time: with a sweep through all records. */
export const insertProgress = (center: CenterId, sweepAt: string): Sql => sql`
  insert into contradiction_progress (center_id, revision, sweep_at)
  select ${center}, r.revision, ${sweepAt} from center_revisions r where r.center_id = ${center}
  on conflict do nothing`

/** Takes the lease of a center. Returns its progress, or no row if another instance has the lease. */
export const takeLease = (center: CenterId, holder: string, seconds: number): Sql => sql`
  update contradiction_progress
  set leased_by = ${holder}, leased_until = clock_timestamp() + make_interval(secs => ${seconds})
  where center_id = ${center}
    and (leased_until is null or leased_until <= clock_timestamp() or leased_by = ${holder})
  returning revision, sweep_at, sweep_again`

/** Where the evaluation of a center is. */
export interface Progress {
  readonly revision: number
  readonly sweep_at: string | null
  readonly sweep_again: boolean
}

/** Ends the lease and stores the progress. An instance that has lost its lease changes nothing, and gets no row. */
export const endLease = (center: CenterId, holder: string, to: Progress): Sql => sql`
  update contradiction_progress
  set revision = ${to.revision}, sweep_at = ${to.sweep_at}, sweep_again = ${to.sweep_again},
    leased_by = null, leased_until = null, turn_at = clock_timestamp()
  where center_id = ${center} and leased_by = ${holder}
  returning center_id`

/** The next bookings of a sweep by start, after a position. One row for each. */
export const selectNextBookings = (
  center: CenterId,
  after: readonly [start: string, id: string] | null,
  limit: number,
): Sql => sql`
  select id, start_date::text as start from bookings
  where center_id = ${center}
    and (${after === null} or (start_date, id) > (${after?.[0] ?? '-infinity'}::timestamptz, ${after?.[1] ?? ''}))
  order by start_date, id limit ${limit}`

/** The next orders of a sweep, each with whether it has guests: those with guests were evaluated with them. */
export const selectNextOrders = (center: CenterId, after: string, limit: number): Sql => sql`
  select o.uuid, exists (
      select from bookings b where b.center_id = ${center} and b.order_uuid = o.uuid
    ) as has_guests
  from orders o where o.center_id = ${center} and o.uuid > ${after}
  order by o.uuid limit ${limit}`

/** The next stored contradictions of a sweep, with their records. */
export const selectNextStored = (center: CenterId, after: string, limit: number): Sql => sql`
  with next as materialized (
    select k.id from contradictions k where k.center_id = ${center} and k.id > ${after} order by k.id limit ${limit}
  )
  select r.contradiction_id as id, array_agg(r.record) as records from contradiction_records r
  where r.center_id = ${center} and r.contradiction_id = any(array(select id from next))
  group by r.contradiction_id order by r.contradiction_id`
