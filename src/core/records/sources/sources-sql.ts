/** The statements of sources (migrations/0044-sources.sql). Moments are epoch milliseconds. */
import sql, { empty, type Sql } from 'sql-template-tag'
import type { CenterId } from '../centers/center.ts'
import { type Delivery, type FolderReport, type SenderKeys, type SourceKind, SQL_SOURCE } from './delivery.ts'

/** Deliveries that say how a source is. A week of hourly ones, so that one a day is known too. */
const DELIVERIES_READ = 200

const ms = (moment: Sql) => sql`floor(extract(epoch from ${moment}) * 1000)`

/** An element of the array of sources, in the order of their names. */
export type SourceValues = readonly [
  name: string,
  kinds: SourceKind[] | null,
  schedule: string | null,
  scheduledAt: number,
  appId: string | null,
  deliveries: readonly DeliveryValues[],
  folder: FolderValues | null,
  keys: SenderKeys | null,
  /** of the source `sql`: the last commit by kind of change */
  committed: Readonly<Record<string, number>> | null,
]

export type DeliveryValues = readonly [
  id: Delivery['id'],
  at: Delivery['at'],
  way: Delivery['way'],
  outcome: Delivery['outcome'],
  counts: Delivery['counts'],
  lines: Delivery['lines'],
  rejected: Delivery['rejected'],
  causes: Delivery['causes'],
  files: Delivery['files'],
  fileTime: Delivery['fileTime'],
]

export type FolderValues = readonly [
  at: number,
  state: FolderReport['state'],
  unfinishedSince: number | null,
  emptySince: number | null,
  waitingSince: number | null,
  isDiskFull: boolean,
]

/** The values of a delivery, from a row of the log of imports. */
export const deliveryValues = (d: Sql): Sql => sql`
  ${d}.id, ${ms(sql`${d}.ended_at`)}, ${d}.way, ${d}.outcome, ${d}.counts, ${d}.lines, ${d}.rejected, ${d}.causes, ${d}.files,
  ${ms(sql`${d}.file_time`)}`

/**
 * All sources of a center with their newest deliveries, newest first. One row: the array, and the database's time.
 * Uses sources_pkey, imports_by_source, the keys of the center, and where a program writes with SQL, the primary keys of
 * changes and of their commits.
 */
export const selectSources = (center: CenterId): Sql => sql`
  select
    (select coalesce(json_agg(json_build_array(
      s.name, s.kinds, s.schedule, ${ms(sql`s.scheduled_at`)}, s.app_id,
      (select coalesce(json_agg(json_build_array(${deliveryValues(sql`d`)}) order by d.ended_at desc), '[]')
      from (
        select id, ended_at, way, outcome, counts, lines, rejected, causes, files, file_time from imports
        where center_id = ${center} and source = s.name
        order by ended_at desc
        limit ${DELIVERIES_READ}
      ) d),
      (select json_build_array(
        ${ms(sql`f.reported_at`)}, f.state, ${ms(sql`f.unfinished_since`)}, ${ms(sql`f.empty_since`)},
        ${ms(sql`f.waiting_since`)}, f.is_disk_full
      )
      from source_folders f where f.center_id = ${center} and f.source = s.name),
      (select json_build_object(
        'isActive', coalesce(bool_or(k.revoked_at is null and (k.expires_at is null or k.expires_at > clock_timestamp())), false),
        'expiresAt', case when not coalesce(bool_or(k.revoked_at is null and k.expires_at is null), false)
          then max(${ms(sql`k.expires_at`)}) filter (where k.revoked_at is null) end
      )
      from api_keys k where k.center_id = ${center} and k.app_id = s.app_id and s.app_id is not null
      having s.app_id is not null),
      case when s.name = ${SQL_SOURCE} then (
        select coalesce(json_object_agg(k.kind, l.at), '{}')
        from (values
          ('guest', array['bookings', 'customers']), ('session', array['sessions']), ('order', array['orders'])
        ) k(kind, own)
        cross join lateral (
          select ${ms(sql`c.committed_at`)} as at
          from (
            select transaction_id, committed_at, revision from change_commits
            where center_id = ${center}
            order by revision desc
            limit ${COMMITS_OF_SOURCE}
          ) c
          where exists (
            select from changes n
            where n.center_id = ${center} and n.transaction_id = c.transaction_id and n.kind = k.kind
              and ${isOfRecords(center)}
          )
          order by c.revision desc
          limit 1
        ) l
        where s.kinds is null or s.kinds && k.own
      ) end
    ) order by s.name), '[]')
    from sources s where s.center_id = ${center}) as sources,
    ${ms(sql`clock_timestamp()`)} as now`

/** Of a program that writes with SQL, so many commits are searched for the last one that touched a kind. */
const COMMITS_SEARCHED = 500

/**
 * The same where a center expects a kind by a schedule. The search ends at the first one, so it is long only for a kind that is
 * late: nobody may be notified of one that is not.
 */
const COMMITS_OF_SOURCE = 20_000

/**
 * When each kind of change was last committed, among the newest commits after a revision. A row for each kind that was.
 * Uses the primary keys of both tables.
 */
export const selectLastCommits = (center: CenterId, after: number): Sql => sql`
  select n.kind, ${ms(sql`max(c.committed_at)`)} as at
  from (
    select transaction_id, committed_at from change_commits
    where center_id = ${center} and revision > ${after}
    order by revision desc
    limit ${COMMITS_SEARCHED}
  ) c
  join changes n on n.center_id = ${center} and n.transaction_id = c.transaction_id
  where ${isOfRecords(center)}
  group by n.kind`

/**
 * Whether a change `n` is one of records. A commit that changed all kinds as a whole is not: a change of the center's own
 * record or of its terms looks the same, and does not make the data newer.
 */
function isOfRecords(center: CenterId): Sql {
  return sql`not n.again and (n.id <> '*' or (
    select count(*) from changes w
    where w.center_id = ${center} and w.transaction_id = n.transaction_id and w.id = '*'
      and w.kind in ('guest', 'session', 'order')
  ) < 3)`
}

export interface SourceRow {
  readonly name: string
  readonly kinds: readonly SourceKind[] | null
  readonly schedule: string | null
  readonly app_id: string | null
}

/** Sets what is given of a source, which may be new. A schedule that is set again as it is keeps its time. */
export function setSource(
  center: string,
  {
    name,
    kinds,
    schedule,
    appId,
  }: {
    readonly name: string
    readonly kinds: readonly SourceKind[] | undefined
    readonly schedule: string | null | undefined
    readonly appId: string | null | undefined
  },
): Sql {
  return sql`
    insert into sources as s (center_id, name, kinds, schedule, scheduled_at, app_id)
    values (${center}, ${name}, ${kinds ?? null}, ${schedule ?? null}, clock_timestamp(), ${appId ?? null})
    on conflict (center_id, name) do update set
      kinds = case when ${kinds === undefined} then s.kinds else excluded.kinds end,
      schedule = case when ${schedule === undefined} then s.schedule else excluded.schedule end,
      scheduled_at = case when ${schedule === undefined} or s.schedule is not distinct from excluded.schedule
        then s.scheduled_at else clock_timestamp() end,
      app_id = case when ${appId === undefined} then s.app_id else excluded.app_id end
    returning name, kinds, schedule, app_id`
}

/** Deletes a source and what was reported of its folder; its deliveries stay in the log of imports. */
export const deleteSource = (center: string, name: string): Sql => sql`
  delete from sources where center_id = ${center} and name = ${name}
  returning name, kinds, schedule, app_id`

/** The number of sources of a center. */
export const countSources = (center: string): Sql =>
  sql`select count(*)::int as count from sources where center_id = ${center}`

/** Whether a center has a key of this application that sends records. At most one row. */
export const selectSender = (center: string, appId: string): Sql => sql`
  select app_id from api_keys where center_id = ${center} and app_id = ${appId} and intake limit 1`

export interface ReportedFolder {
  readonly state: FolderReport['state']
  /** for how long, in ms; null if there is no such file */
  readonly unfinishedMs: number | null
  readonly emptyMs: number | null
  readonly waitingMs: number | null
  readonly isDiskFull: boolean
}

/** Stores a report by the database's clock. Durations are given, because the clock of the watcher may be another. */
export function reportFolder(center: string, source: string, report: ReportedFolder): Sql {
  const before = (duration: number | null) =>
    duration === null ? sql`null` : sql`clock_timestamp() - make_interval(secs => ${duration / 1000})`
  return sql`
    with known as (
      insert into sources (center_id, name)
      select c.center_id, ${source} from centers c where c.center_id = ${center}
      on conflict do nothing
    )
    insert into source_folders (center_id, source, reported_at, state, unfinished_since, empty_since, waiting_since,
      is_disk_full)
    select c.center_id, ${source}, clock_timestamp(), ${report.state}, ${before(report.unfinishedMs)},
      ${before(report.emptyMs)}, ${before(report.waitingMs)}, ${report.isDiskFull}
    from centers c where c.center_id = ${center}
    on conflict (center_id, source) do update set
      reported_at = excluded.reported_at, state = excluded.state, unfinished_since = excluded.unfinished_since,
      empty_since = excluded.empty_since, waiting_since = excluded.waiting_since, is_disk_full = excluded.is_disk_full`
}

/** The centers that have a source with a schedule, and their time zones. */
export const selectScheduledCenters = (center: string | undefined): Sql => sql`
  select c.center_id, c.name, c.timezone from centers c
  where exists (select from sources s where s.center_id = c.center_id and s.schedule is not null)
  ${center === undefined ? empty : sql`and c.center_id = ${center}`}
  order by c.center_id`
