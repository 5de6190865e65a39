/** The statements of reports (migrations/0050-reports.sql). All times come from the database's clock; epoch ms in rows. */
import sql, { empty, type Sql } from 'sql-template-tag'
import type { FileMark } from './destinations/to-folder.ts'
import type { Format } from './documents/document.ts'
import type { ReportKind } from './report.ts'

export interface ReportRow {
  center_id: string
  id: string
  app_id: string
  name: string
  kind: ReportKind
  question: string | null
  format: Format
  language: string | null
  times: readonly string[]
  days: string
  destinations: readonly string[]
  next_at: number
}

const columns = sql`r.center_id, r.id, r.app_id, r.name, r.kind, r.question, r.format, r.language, r.times, r.days,
  r.destinations, r.next_at`

/** The newest active key of an application, which says what its reports may read; a report without one reads nothing. */
const activeKey = sql`(
  select k.public_key from api_keys k
  where k.center_id = r.center_id and k.app_id = r.app_id and k.revoked_at is null and not k.intake
    and coalesce(k.expires_at > clock_timestamp(), true)
  order by k.created_at desc, k.public_key limit 1
) as public_key`

export interface NewReportRow extends Omit<ReportRow, 'next_at'> {
  /** ISO */
  next_at: string
}

/** Adds a report unless its center already has `limit`; then no row is returned. The center's row is locked meanwhile. */
export function insertReport(row: NewReportRow, limit: number): Sql {
  return sql`
    with center as (select center_id from centers where center_id = ${row.center_id} for update)
    insert into reports (center_id, id, app_id, name, kind, question, format, language, times, days, destinations, created_at, next_at)
    select c.center_id, ${row.id}, ${row.app_id}, ${row.name}, ${row.kind}, ${row.question}, ${row.format},
      ${row.language}, ${row.times}, ${row.days}, ${row.destinations}, clock_timestamp(), ${row.next_at}
    from center c
    where (select count(*) from reports o where o.center_id = c.center_id) < ${limit}
    returning id`
}

/** The reports of one center, or of all, in the order of their creation. */
export function selectReports(centerId: string | undefined): Sql {
  const where = centerId === undefined ? empty : sql`where r.center_id = ${centerId}`
  return sql`
    select ${columns}, ${activeKey} from reports r
    ${where}
    order by r.center_id, r.created_at, r.id`
}

/** One report, of one center or of any. Identifiers are random and therefore unique. */
export function selectReport(id: string, center?: string): Sql {
  const ofCenter = center === undefined ? empty : sql`and r.center_id = ${center}`
  return sql`
    select ${columns}, ${activeKey} from reports r where r.id = ${id} ${ofCenter}`
}

export const deleteReport = (center: string, id: string): Sql =>
  sql`delete from reports where center_id = ${center} and id = ${id} returning id`

export interface DueReportRow extends ReportRow {
  timezone: string
}

/** Reports whose next time has come, the longest waiting first, at most `limit`. */
export function selectDueReports(limit: number): Sql {
  return sql`
    select ${columns}, c.timezone
    from reports r join centers c on c.center_id = r.center_id
    where r.next_at <= clock_timestamp() and not is_closed(r.center_id)
    order by r.next_at limit ${limit}`
}

/**
 * Moves a report to its next time, and adds the run of the one that has come. Instances that do so at the same time add it
 * once. Returns no row to those that come later.
 * @param isMissed it was too long ago to be of use
 */
export function planRun(
  { center_id, id, next_at }: Pick<ReportRow, 'center_id' | 'id' | 'next_at'>,
  nextAt: string,
  isMissed: boolean,
): Sql {
  const scheduled = new Date(next_at).toISOString()
  return sql`
    with moved as (
      update reports r set next_at = ${nextAt}
      where r.center_id = ${center_id} and r.id = ${id} and r.next_at = ${scheduled}
      returning r.center_id, r.id, r.destinations
    ), run as (
      insert into report_runs (center_id, report_id, scheduled_at, next_attempt_at, state, problem, ended_at)
      select m.center_id, m.id, ${scheduled}, clock_timestamp(), case when ${isMissed} then 'missed' else 'due' end,
        case when ${isMissed} then 'The service did not run at this time.' end,
        case when ${isMissed} then clock_timestamp() end
      from moved m
      on conflict do nothing
      returning center_id, report_id, scheduled_at
    )
    insert into report_deliveries (center_id, report_id, scheduled_at, destination, next_attempt_at, state)
    select n.center_id, n.report_id, n.scheduled_at, d.destination, clock_timestamp(), case when ${isMissed} then 'failed' else 'waiting' end
    from run n join moved m on m.center_id = n.center_id and m.id = n.report_id
    cross join lateral unnest(m.destinations) as d(destination)
    on conflict do nothing
    returning destination`
}

/** A run that a person asks for, now. Asked for twice within a millisecond, it is one. */
export function insertRun(center: string, id: string): Sql {
  return sql`
    with run as (
      insert into report_runs (center_id, report_id, scheduled_at, next_attempt_at)
      select r.center_id, r.id, date_trunc('milliseconds', clock_timestamp()), clock_timestamp()
      from reports r where r.center_id = ${center} and r.id = ${id}
      on conflict do nothing
      returning center_id, report_id, scheduled_at
    )
    insert into report_deliveries (center_id, report_id, scheduled_at, destination, next_attempt_at)
    select n.center_id, n.report_id, n.scheduled_at, d.destination, clock_timestamp()
    from run n join reports r on r.center_id = n.center_id and r.id = n.report_id
    cross join lateral unnest(r.destinations) as d(destination)
    returning scheduled_at`
}

/** Locks the reports of a center, so that two requests do not both find the last free place of the hour. */
export const lockReports = (center: string): Sql =>
  sql`select id from reports where center_id = ${center} order by id for update`

/** How many runs a center had within an hour, and seconds until the first of them is older. One row. Uses the primary keys. */
export function selectRunsOfHour(center: string): Sql {
  return sql`
    select count(*)::integer as runs,
      ceil(3600 - coalesce(extract(epoch from clock_timestamp() - min(n.scheduled_at)), 0))::integer as seconds
    from reports r
    join report_runs n on n.center_id = r.center_id and n.report_id = r.id
      and n.scheduled_at > clock_timestamp() - interval '1 hour'
    where r.center_id = ${center}`
}

export interface RunTarget {
  center_id: string
  report_id: string
  scheduled_at: number
}

/**
 * Runs with something to do now that no instance has, at most `limit`: the first of each center before the second of any.
 * @param steady whether this instance has reached the database long enough that another one, which may have sent a copy
 * meanwhile, could have said so @param folder of the copies of this instance
 */
export function selectDueRuns(limit: number, steady: boolean, folder: string | undefined): Sql {
  return sql`
    select n.center_id, n.report_id, n.scheduled_at
    from report_runs n join reports r on r.center_id = n.center_id and r.id = n.report_id
    where n.state = 'due' and n.next_attempt_at <= clock_timestamp() and not is_closed(n.center_id)
      and (n.leased_until is null or n.leased_until <= clock_timestamp())
      and (r.prepared_by is null or r.prepared_by = ${folder ?? ''} or (r.prepared_until <= clock_timestamp() and ${steady}))
    order by row_number() over (partition by n.center_id order by n.next_attempt_at), n.next_attempt_at
    limit ${limit}`
}

const isRun = ({ center_id, report_id, scheduled_at }: RunTarget) =>
  sql`n.center_id = ${center_id} and n.report_id = ${report_id} and n.scheduled_at = ${new Date(scheduled_at).toISOString()}`

export interface RunRow extends DueReportRow {
  public_key: string | null
  attempts: number
}

/** Takes a run. Returns no row if another instance has it. */
export function takeRun(run: RunTarget, holder: string, seconds: number): Sql {
  return sql`
    with taken as (
      update report_runs n set leased_by = ${holder},
        leased_until = clock_timestamp() + make_interval(secs => ${seconds}), attempts = n.attempts + 1
      where ${isRun(run)} and n.state = 'due'
        and (n.leased_until is null or n.leased_until <= clock_timestamp())
        and n.next_attempt_at <= clock_timestamp()
      returning n.center_id, n.report_id, n.attempts
    )
    select ${columns}, c.timezone, t.attempts, ${activeKey}
    from taken t
    join reports r on r.center_id = t.center_id and r.id = t.report_id
    join centers c on c.center_id = t.center_id`
}

/** Extends the lease before something that takes time. Returns no row if the run was lost to another instance. */
export function holdRun(run: RunTarget, holder: string, seconds: number): Sql {
  return sql`
    update report_runs n set leased_until = clock_timestamp() + make_interval(secs => ${seconds})
    where ${isRun(run)} and n.leased_by = ${holder} and n.state = 'due'
    returning n.attempts`
}

export interface DeliveryRow {
  destination: string
  attempts: number
  file: FileMark | null
}

/** The destinations that are still waiting, and whose time has come. */
export function selectDeliveries({ center_id, report_id, scheduled_at }: RunTarget): Sql {
  return sql`
    select destination, attempts, file from report_deliveries
    where center_id = ${center_id} and report_id = ${report_id} and scheduled_at = ${new Date(scheduled_at).toISOString()}
      and state = 'waiting' and next_attempt_at <= clock_timestamp()
    order by destination`
}

/**
 * Stores which file is going to be written to a destination that waits. Returns no row if the run was lost to another instance, or
 * its report was removed. Uses the primary keys.
 */
export function storeFile(run: RunTarget, holder: string, destination: string, file: FileMark): Sql {
  return sql`
    update report_deliveries d set file = ${JSON.stringify(file)}::jsonb
    from report_runs n
    where ${isRun(run)} and n.leased_by = ${holder} and n.state = 'due'
      and d.center_id = n.center_id and d.report_id = n.report_id and d.scheduled_at = n.scheduled_at
      and d.destination = ${destination} and d.state = 'waiting'
    returning d.destination`
}

export interface DeliveryOutcome {
  readonly destination: string
  readonly state: 'waiting' | 'sent' | 'failed'
  readonly problem: string | null
  readonly delaySeconds: number
}

export function recordDelivery(
  { center_id, report_id, scheduled_at }: RunTarget,
  { destination, state, problem, delaySeconds }: DeliveryOutcome,
): Sql {
  return sql`
    update report_deliveries set state = ${state}, problem = ${problem}, attempts = attempts + 1,
      next_attempt_at = clock_timestamp() + make_interval(secs => ${delaySeconds}),
      sent_at = case when ${state} = 'sent' then clock_timestamp() end
    where center_id = ${center_id} and report_id = ${report_id} and scheduled_at = ${new Date(scheduled_at).toISOString()}
      and destination = ${destination} and state = 'waiting'
    returning destination`
}

export interface RunOutcome {
  /** undefined: as its deliveries say */
  readonly state?: 'refused' | 'missed'
  readonly problem: string | null
  /** ISO; null if nothing was read */
  readonly asOf: string | null
  readonly isCopy?: boolean
  readonly missing: string | null
  readonly delaySeconds: number
}

/**
 * Ends an attempt of a run: its state follows from its deliveries, and its next attempt is that of the first of them. An instance that
 * has lost the run changes nothing.
 */
export function endRun(run: RunTarget, holder: string, outcome: RunOutcome): Sql {
  const { state = null, problem, asOf, isCopy = false, missing, delaySeconds } = outcome
  return sql`
    with open as (
      select count(*) filter (where d.state = 'waiting') as waiting, count(*) filter (where d.state = 'failed') as failed,
        min(d.next_attempt_at) filter (where d.state = 'waiting') as next_at
      from report_deliveries d
      where d.center_id = ${run.center_id} and d.report_id = ${run.report_id}
        and d.scheduled_at = ${new Date(run.scheduled_at).toISOString()}
    ), gone as (
      update report_deliveries d set state = 'failed'
      where ${state}::text is not null and d.center_id = ${run.center_id} and d.report_id = ${run.report_id}
        and d.scheduled_at = ${new Date(run.scheduled_at).toISOString()} and d.state = 'waiting'
    )
    update report_runs n set leased_by = null, leased_until = null, problem = ${problem},
      as_of = coalesce(${asOf}::timestamptz, n.as_of), is_copy = ${isCopy} or n.is_copy,
      missing = coalesce(${missing}::text, n.missing),
      state = coalesce(${state}::text, case when o.waiting > 0 then 'due' when o.failed > 0 then 'missed' else 'sent' end),
      ended_at = case when ${state}::text is null and o.waiting > 0 then null else clock_timestamp() end,
      next_attempt_at = greatest(coalesce(o.next_at, clock_timestamp()),
        clock_timestamp() + make_interval(secs => ${delaySeconds}))
    from open o
    where ${isRun(run)} and n.leased_by = ${holder}
    returning n.state`
}

export interface PreparedRow extends DueReportRow {
  public_key: string | null
}

/**
 * Claims the reports whose time comes within some seconds, so that this instance sends their copy if the database is away
 * then. Reports of an instance that is alive are left to it.
 */
export function claimPrepared(folder: string, ahead: number, seconds: number, limit: number): Sql {
  return sql`
    with claimed as (
      update reports r set prepared_by = ${folder}, prepared_until = clock_timestamp() + make_interval(secs => ${seconds})
      where (r.center_id, r.id) in (
        select o.center_id, o.id from reports o
        where o.next_at <= clock_timestamp() + make_interval(secs => ${ahead})
          and (o.prepared_by is null or o.prepared_by = ${folder} or o.prepared_until <= clock_timestamp())
        order by o.next_at limit ${limit}
        for update skip locked
      )
      returning r.*
    )
    select ${columns}, c.timezone, ${activeKey}
    from claimed r join centers c on c.center_id = r.center_id
    order by r.next_at`
}

/** Records that a copy was sent while the database was away. The run is added if nobody has planned it. */
export function insertCopyRun(run: RunTarget, asOf: string, missing: string | null): Sql {
  const scheduled = new Date(run.scheduled_at).toISOString()
  return sql`
    insert into report_runs as n (center_id, report_id, scheduled_at, next_attempt_at, as_of, is_copy, missing)
    select r.center_id, r.id, ${scheduled}, clock_timestamp(), ${asOf}, true, ${missing}
    from reports r where r.center_id = ${run.center_id} and r.id = ${run.report_id}
    on conflict (center_id, report_id, scheduled_at) do update set as_of = excluded.as_of, is_copy = true,
      missing = coalesce(excluded.missing, n.missing)
    returning scheduled_at`
}

/**
 * The deliveries of a run that something was sent of; those that got it are sent, the others wait. Nothing is added if nobody has
 * planned the run.
 * @param files which file was going to be written to which destination
 */
export function insertCopyDeliveries(
  run: RunTarget,
  sent: readonly string[],
  files: Readonly<Record<string, FileMark>>,
): Sql {
  return sql`
    insert into report_deliveries (center_id, report_id, scheduled_at, destination, next_attempt_at, state, sent_at, file)
    select r.center_id, r.id, n.scheduled_at, d.destination, clock_timestamp(),
      case when d.destination = any(${sent}) then 'sent' else 'waiting' end,
      case when d.destination = any(${sent}) then clock_timestamp() end,
      ${JSON.stringify(files)}::jsonb -> d.destination
    from report_runs n join reports r on r.center_id = n.center_id and r.id = n.report_id
    cross join lateral unnest(r.destinations) as d(destination)
    where ${isRun(run)} and r.center_id = ${run.center_id}
    on conflict (center_id, report_id, scheduled_at, destination) do update set
      state = case when report_deliveries.state = 'waiting' then excluded.state else report_deliveries.state end,
      sent_at = coalesce(report_deliveries.sent_at, excluded.sent_at),
      file = case when excluded.file is null then report_deliveries.file else excluded.file end
    returning destination`
}

/** Ends a run if none of its destinations waits. */
export function settleCopyRun(run: RunTarget): Sql {
  return sql`
    update report_runs n set state = 'sent', ended_at = clock_timestamp()
    where ${isRun(run)} and n.state = 'due' and not exists (
      select from report_deliveries d
      where d.center_id = n.center_id and d.report_id = n.report_id and d.scheduled_at = n.scheduled_at and d.state = 'waiting'
    )
    returning n.state`
}

export interface ShownRunRow {
  report_id: string
  scheduled_at: number
  state: 'due' | 'sent' | 'missed' | 'refused'
  attempts: number
  as_of: number | null
  is_copy: boolean
  missing: string | null
  problem: string | null
  ended_at: number | null
  deliveries: {
    destination: string
    state: string
    attempts: number
    sentAt: string | null
    problem: string | null
  }[]
}

/** The newest runs of a report, with their deliveries. */
export function selectRuns(center: string, id: string, limit: number): Sql {
  return sql`
    select n.report_id, n.scheduled_at, n.state, n.attempts, n.as_of, n.is_copy, n.missing, n.problem, n.ended_at,
      (
        select coalesce(json_agg(json_build_object('destination', d.destination, 'state', d.state, 'attempts', d.attempts,
          'sentAt', d.sent_at, 'problem', d.problem) order by d.destination), '[]'::json)
        from report_deliveries d
        where d.center_id = n.center_id and d.report_id = n.report_id and d.scheduled_at = n.scheduled_at
      ) as deliveries
    from report_runs n where n.center_id = ${center} and n.report_id = ${id}
    order by n.scheduled_at desc limit ${limit}`
}

/** For status and the metrics; exactly one row of numbers. */
export const selectReportNumbers: Sql = sql`
  select
    (select count(*) from reports) as reports,
    count(*) filter (where n.state = 'due' and n.attempts > 0) as late,
    count(*) filter (where n.state in ('missed', 'refused') and n.scheduled_at > clock_timestamp() - interval '24 hours') as missed,
    coalesce(max(extract(epoch from clock_timestamp() - n.scheduled_at)) filter (where n.state = 'due'), 0)::double precision
      as oldest_seconds
  from report_runs n`

/** Centers that have runs. */
export const selectCentersWithRuns: Sql = sql`select distinct center_id from report_runs`

/** Deletes what ended more than so many days ago. */
export function deleteOldRuns(center: string, days: number): Sql {
  return sql`
    delete from report_runs
    where center_id = ${center} and ended_at < clock_timestamp() - make_interval(days => ${days})
    returning report_id`
}

/** The newest erasure of a person in each of these centers. */
export const selectLastErasures = (centers: readonly string[]): Sql =>
  sql`select center_id, max(erased_at) as erased_at from erasures where center_id = any(${centers}) group by center_id`
