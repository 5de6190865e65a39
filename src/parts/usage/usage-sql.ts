/** The statements of usage (migrations/0040-baseline.sql). */
import sql, { type Sql } from 'sql-template-tag'
import { localDateOf } from '../../core/locale/zones.ts'
import type { CenterId } from '../../core/records/centers/center.ts'

export interface CountRow {
  readonly center_id: string
  readonly app_id: string
  readonly endpoint: string
  /** epoch seconds of the start of a quarter of an hour, because days of all time zones begin with one */
  readonly at: number
  readonly requests: number
  readonly unchanged: number
  readonly refusals: number
  readonly errors: number
  readonly bytes: number
}

/** Adds counts to the days of their centers. Counts of centers that are not among these, as removed ones, are dropped. */
export function addCounts(counts: readonly CountRow[], zones: ReadonlyMap<string, string>): Sql {
  const rows = counts.flatMap((row) => {
    const zone = zones.get(row.center_id)
    return zone === undefined ? [] : [{ ...row, day: localDateOf(zone, row.at * 1000) }]
  })
  const centers = [...new Set(rows.map((row) => row.center_id))]
  // In a fixed order, so that instances that write at the same time wait for each other and do not deadlock.
  return sql`
    insert into usage_days as u (center_id, app_id, day, endpoint, requests, unchanged, refusals, errors, bytes)
    select c.center_id, n.app_id, n.day, n.endpoint,
      sum(n.requests), sum(n.unchanged), sum(n.refusals), sum(n.errors), sum(n.bytes)
    from json_to_recordset(${JSON.stringify(rows)}::json) as n (center_id text, app_id text, endpoint text,
      day date, requests bigint, unchanged bigint, refusals bigint, errors bigint, bytes bigint)
    join centers c on c.center_id = n.center_id
    where c.center_id = any(${centers})
    group by 1, 2, 3, 4
    order by 1, 2, 3, 4
    on conflict (center_id, app_id, day, endpoint) do update set
      requests = u.requests + excluded.requests,
      unchanged = u.unchanged + excluded.unchanged,
      refusals = u.refusals + excluded.refusals,
      errors = u.errors + excluded.errors,
      bytes = u.bytes + excluded.bytes`
}

export interface ErrorRow {
  readonly center_id: string
  readonly app_id: string
  readonly fingerprint: string
  readonly public_key: string
  readonly endpoint: string
  readonly status: number
  readonly code: string
  readonly message: string
  readonly details: readonly { readonly parameter: string; readonly message: string }[]
  readonly times: number
  /** ISO */
  readonly first_at: string
  readonly last_at: string
  readonly request_id: string
}

/** Adds errors. For an error that is stored already, its count increases. */
export function addErrors(rows: readonly ErrorRow[]): Sql {
  return sql`
    insert into usage_errors as u (center_id, app_id, fingerprint, public_key, endpoint, status, code, message,
      details, times, first_at, last_at, request_id)
    select n.center_id, n.app_id, n.fingerprint, n.public_key, n.endpoint, n.status, n.code, n.message,
      n.details, n.times, n.first_at, n.last_at, n.request_id
    from json_to_recordset(${JSON.stringify(rows)}::json) as n (center_id text, app_id text, fingerprint text,
      public_key text, endpoint text, status smallint, code text, message text, details jsonb, times integer,
      first_at timestamptz, last_at timestamptz, request_id text)
    order by 1, 2, 3
    on conflict (center_id, app_id, fingerprint) do update set
      times = u.times + excluded.times,
      message = case when excluded.last_at >= u.last_at then excluded.message else u.message end,
      request_id = case when excluded.last_at >= u.last_at then excluded.request_id else u.request_id end,
      first_at = least(u.first_at, excluded.first_at),
      last_at = greatest(u.last_at, excluded.last_at)`
}

/** Keeps the newest `errorsMax` errors of each of these applications. Uses usage_errors_by_time. */
export function trimErrors(centers: readonly string[], apps: readonly string[], errorsMax: number): Sql {
  return sql`
    delete from usage_errors e
    using (
      select center_id, app_id, fingerprint,
        row_number() over (partition by center_id, app_id order by last_at desc, fingerprint) as place
      from usage_errors
      where center_id = any(${centers}) and app_id = any(${apps})
    ) ranked
    where e.center_id = ranked.center_id and e.app_id = ranked.app_id and e.fingerprint = ranked.fingerprint
      and ranked.place > ${errorsMax}`
}

/** The first and the last day, both included, and the moments at which they begin and end, in ISO 8601. */
export interface UsagePeriod {
  readonly startDate: string
  readonly endDate: string
  readonly lower: string
  readonly upper: string
}

export type DayRow = [
  date: string,
  endpoint: string,
  requests: number,
  unchanged: number,
  refusals: number,
  errors: number,
  bytes: number,
]

export type ErrorDayRow = [
  firstAt: number,
  lastAt: number,
  times: number,
  endpoint: string,
  status: number,
  code: string,
  message: string,
  details: { parameter: string; message: string }[],
  requestId: string,
  publicKey: string,
]

/**
 * The usage of one application. Callers may rely on: exactly one row, with its days, newest first, and its errors that
 * occurred in the period, newest first, both as JSON.
 */
export function selectUsage(center: CenterId, appId: string, period: UsagePeriod): Sql {
  return sql`
    select
      (
        select coalesce(json_agg(
          json_build_array(day, endpoint, requests, unchanged, refusals, errors, bytes)
          order by day desc, endpoint
        ), '[]')
        from usage_days
        where center_id = ${center} and app_id = ${appId}
          and day >= ${period.startDate}::date and day <= ${period.endDate}::date
      ) as days,
      (
        select coalesce(json_agg(
          json_build_array(
            floor(extract(epoch from first_at) * 1000), floor(extract(epoch from last_at) * 1000), times, endpoint,
            status, code, message, details, request_id, public_key
          )
          order by last_at desc, fingerprint
        ), '[]')
        from usage_errors
        where center_id = ${center} and app_id = ${appId}
          and last_at >= ${period.lower} and first_at <= ${period.upper}
      ) as errors`
}

/** The centers with recorded usage. */
export const selectUsedCenters: Sql = sql`select distinct center_id from usage_days order by center_id`

/** Deletes days that are older than this number of days. */
export function deleteOldDays(center: string, days: number): Sql {
  return sql`
    delete from usage_days
    where center_id = ${center} and day < (clock_timestamp() - make_interval(days => ${days}))::date`
}

export function deleteOldErrors(center: string, days: number): Sql {
  return sql`
    delete from usage_errors
    where center_id = ${center} and last_at < clock_timestamp() - make_interval(days => ${days})`
}
