/** The statements of refused requests (migrations/0042-refused-requests.sql). */
import sql, { empty, type Sql } from 'sql-template-tag'

export interface RefusalRow {
  /** '' where no key is known */
  readonly center_id: string
  /** epoch ms of the start of the hour */
  readonly hour: number
  readonly public_key: string
  readonly endpoint: string
  readonly reason: string
  readonly times: number
  /** epoch ms */
  readonly first_at: number
  readonly last_at: number
  readonly request_id: string
}

/** Adds counts to the rows of their hours. In a fixed order, so that instances wait for each other and do not deadlock. */
export const addRefusals = (rows: readonly RefusalRow[]): Sql => sql`
  insert into refused_requests as r (center_id, hour, public_key, endpoint, reason, times, first_at, last_at, request_id)
  select n.center_id, to_timestamp(n.hour / 1000.0), n.public_key, n.endpoint, n.reason, n.times,
    to_timestamp(n.first_at / 1000.0), to_timestamp(n.last_at / 1000.0), n.request_id
  from json_to_recordset(${JSON.stringify(rows)}::json) as n (center_id text, hour bigint, public_key text,
    endpoint text, reason text, times bigint, first_at bigint, last_at bigint, request_id text)
  order by 1, 2, 3, 4, 5
  on conflict (center_id, hour, public_key, endpoint, reason) do update set
    times = r.times + excluded.times,
    first_at = least(r.first_at, excluded.first_at),
    last_at = greatest(r.last_at, excluded.last_at),
    request_id = case when excluded.last_at >= r.last_at then excluded.request_id else r.request_id end`

/** Keeps the newest `rows` rows of each of these centers. By the primary key. */
export const trimRefusals = (centers: readonly string[], rows: number): Sql => sql`
  delete from refused_requests r
  using (
    select center_id, hour, public_key, endpoint, reason,
      row_number() over (partition by center_id order by hour desc, public_key, endpoint, reason) as place
    from refused_requests
    where center_id = any(${centers})
  ) ranked
  where r.center_id = ranked.center_id and r.hour = ranked.hour and r.public_key = ranked.public_key
    and r.endpoint = ranked.endpoint and r.reason = ranked.reason and ranked.place > ${rows}`

export interface RefusalsQuestion {
  /** undefined for all, '' for those of no known key */
  readonly center: string | undefined
  /** an application or a public key */
  readonly key: string | undefined
  readonly reason: string | undefined
  /** epoch ms */
  readonly since: number | undefined
  readonly until: number | undefined
  readonly limit: number | undefined
}

export interface ListedRefusal extends RefusalRow {
  /** null where no key is known, or it was deleted */
  readonly app_id: string | null
  readonly name: string | null
}

/** Refusals, newest first. By the primary key if a center is given. */
export function selectRefusals({ center, key, reason, since, until, limit }: RefusalsQuestion): Sql {
  return sql`
    select r.center_id, r.hour, r.public_key, r.endpoint, r.reason, r.times, r.first_at, r.last_at, r.request_id,
      k.app_id, k.name
    from refused_requests r
    left join api_keys k on k.public_key = r.public_key and k.center_id = r.center_id
    where true
      ${center === undefined ? empty : sql`and r.center_id = ${center}`}
      ${key === undefined ? empty : sql`and (r.public_key = ${key} or k.app_id = ${key})`}
      ${reason === undefined ? empty : sql`and r.reason = ${reason}`}
      ${since === undefined ? empty : sql`and r.last_at >= ${new Date(since).toISOString()}`}
      ${until === undefined ? empty : sql`and r.first_at <= ${new Date(until).toISOString()}`}
    order by r.last_at desc, r.center_id, r.public_key, r.endpoint, r.reason
    ${limit === undefined ? empty : sql`limit ${limit}`}`
}

/** Each center that has refusals, and '' for those of no known key. */
export const selectRefusedCenters: Sql = sql`select distinct center_id from refused_requests order by center_id`

/** Deletes rows older than this number of days. By the primary key. */
export const deleteOldRefusals = (center: string, days: number): Sql => sql`
  delete from refused_requests
  where center_id = ${center} and hour < clock_timestamp() - make_interval(days => ${days})`
