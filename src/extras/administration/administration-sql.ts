/** The statements of the administration. Times are those of the database. */
import sql, { type Sql } from 'sql-template-tag'
import type { CenterId } from '../../records/centers/center.ts'
import { deliveryValues, selectSources } from '../../records/sources/sources-sql.ts'
import { linksOfCenter } from '../links/links-sql.ts'
import { selectReports } from '../reports/reports-sql.ts'

/** What a key may grant: at most one row. Uses the primary key. */
export const selectGrants = (center: CenterId, publicKey: string): Sql => sql`
    select grants from api_keys where center_id = ${center} and public_key = ${publicKey}`

/** How many keys a center has. Callers may rely on: one row. */
export const countKeys = (center: CenterId): Sql => sql`
    select count(*)::integer as count from api_keys where center_id = ${center}`

/** How many links a center has. Callers may rely on: one row. */
export const countLinks = (center: CenterId): Sql => sql`
    select count(*)::integer as count from links where center_id = ${center}`

/** A part of a list. */
export interface PartOfList {
  readonly offset: number
  readonly limit: number
  /** also those that have ended */
  readonly ended: boolean
}

const isoText = (moment: Sql) => sql`to_char(${moment} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`

/**
 * The keys of a center, those that are valid first, then the newest; and what the key that asks may grant. Callers may rely
 * on: one row. A center has some dozens of keys, so all of them are read.
 */
export const selectKeys = (
  center: CenterId,
  publicKey: string,
  { offset, limit, ended }: PartOfList,
): Sql => sql`
    with k as materialized (
      select *, case when revoked_at is not null then 'revoked'
          when expires_at <= clock_timestamp() then 'expired' else 'active' end as status
      from api_keys where center_id = ${center}
    ),
    shown as materialized (select * from k where ${ended} or status = 'active')
    select
      (select grants from k where public_key = ${publicKey}),
      (select count(*) from shown)::integer,
      (select coalesce(json_agg(json_build_object(
          'appId', app_id, 'publicKey', public_key, 'name', name, 'scopes', scopes, 'customFields', custom_fields,
          'intake', intake, 'grants', grants, 'allowAssistants', allow_assistants,
          'allowedAddresses', allowed_addresses, 'responsible', responsible, 'reviewOn', review_on, 'status', status,
          'createdAt', ${isoText(sql`created_at`)}, 'expiresAt', ${isoText(sql`expires_at`)},
          'revokedAt', ${isoText(sql`revoked_at`)}, 'lastUsedAt', ${isoText(sql`last_used_at`)}
        ) order by status <> 'active', created_at desc, public_key), '[]')
        from (
          select * from shown order by status <> 'active', created_at desc, public_key
          offset ${offset} limit ${limit}
        ) page)`

/** The webhooks of a center with their last deliveries. Callers may rely on: one row. A center has at most ten. */
export const selectWebhooksWithLog = (center: CenterId, deliveries: number): Sql => sql`
    select coalesce(json_agg(json_build_object(
      'id', w.id, 'name', w.name, 'url', w.url, 'scopes', w.scopes, 'kinds', w.kinds, 'state', w.state,
      'createdAt', ${isoText(sql`w.created_at`)}, 'deliveredAt', ${isoText(sql`w.delivered_at`)},
      'failingSince', ${isoText(sql`w.failing_since`)}, 'nextAttemptAt', ${isoText(sql`w.next_attempt_at`)},
      'attempts', w.attempts,
      'deliveries', (
        select coalesce(json_agg(json_build_object(
          'at', ${isoText(sql`d.at`)}, 'attempt', d.attempt, 'changes', d.entries, 'outcome', d.outcome,
          'status', d.status, 'milliseconds', d.duration_ms
        ) order by d.seq desc), '[]')
        from (
          select * from webhook_deliveries
          where center_id = ${center} and webhook_id = w.id order by seq desc limit ${deliveries}
        ) d
      )
    ) order by w.created_at, w.id), '[]')
    from webhooks w where w.center_id = ${center}`

/**
 * The links of a center, those that are valid first, then the newest. Callers may rely on: one row. A center has some
 * dozens of links, so all of them are read.
 */
export const selectLinks = (center: CenterId, { offset, limit, ended }: PartOfList): Sql => sql`
    with every_link as materialized (
      select *, case when revoked_at is not null then 'revoked' when expires_at <= clock_timestamp() then 'expired'
          when has_key then 'active' else 'stopped' end as status
      from (${linksOfCenter(center)}) links
    ),
    shown as materialized (select * from every_link where ${ended} or status in ('active', 'stopped'))
    select
      (select count(*) from shown)::integer,
      (select coalesce(json_agg(json_build_object(
          'id', id, 'appId', app_id, 'name', name, 'query', question, 'language', language,
          'allowSensitive', allow_sensitive, 'allowedAddresses', allowed_addresses, 'status', status,
          'createdAt', ${isoText(sql`created_at`)}, 'expiresAt', ${isoText(sql`expires_at`)},
          'revokedAt', ${isoText(sql`revoked_at`)}, 'requests', requests, 'lastUsedOn', last_day
        ) order by status not in ('active', 'stopped'), created_at desc, id), '[]')
        from (
          select * from shown order by status not in ('active', 'stopped'), created_at desc, id
          offset ${offset} limit ${limit}
        ) page)`

/**
 * The links that hand keys of a center to devices, those that wait first, then the newest. Callers may rely on: one row.
 * They are deleted after 30 days, so all of them are read.
 */
export const selectDevices = (center: CenterId, { offset, limit, ended }: PartOfList): Sql => sql`
    with d as materialized (
      select l.id, l.public_key, l.created_at, l.expires_at, l.used_at, k.app_id, k.name,
        case when k.revoked_at is not null or coalesce(k.expires_at <= clock_timestamp(), false) then 'ended'
          when l.used_at is not null then 'used' when l.expires_at <= clock_timestamp() then 'expired'
          else 'waiting' end as status
      from device_links l
      join api_keys k on k.center_id = l.center_id and k.public_key = l.public_key
      where l.center_id = ${center}
    ),
    shown as materialized (select * from d where ${ended} or status in ('waiting', 'used'))
    select
      (select count(*) from shown)::integer,
      (select coalesce(json_agg(json_build_object(
          'id', id, 'appId', app_id, 'publicKey', public_key, 'name', name, 'status', status,
          'createdAt', ${isoText(sql`created_at`)}, 'expiresAt', ${isoText(sql`expires_at`)},
          'usedAt', ${isoText(sql`used_at`)}
        ) order by status <> 'waiting', created_at desc, id), '[]')
        from (
          select * from shown order by status <> 'waiting', created_at desc, id offset ${offset} limit ${limit}
        ) page)`

/**
 * The sources of a center with the database's time, the addresses that are notified, and its newest imports. Callers may
 * rely on: one row.
 */
export const selectSourcesAndImports = (center: CenterId, imports: number): Sql => sql`
    select s.sources, s.now,
      coalesce((select to_json(a.addresses) from notice_addresses a where a.center_id = ${center}), '[]'),
      (select coalesce(json_agg(json_build_array(
          i.source, i.by_key, ${deliveryValues(sql`i`)}
        ) order by i.ended_at desc, i.id), '[]')
        from (
          select * from imports where center_id = ${center} order by ended_at desc, id limit ${imports}
        ) i)
    from (${selectSources(center)}) s`

/** The reports of a center with their last runs, in the order of their creation. Callers may rely on: one row. */
export const selectReportsWithRuns = (center: CenterId, runs: number): Sql => sql`
    select coalesce(json_agg(json_build_object(
      'id', known.id, 'appId', known.app_id, 'name', known.name, 'kind', known.kind, 'query', known.question, 'format', known.format,
      'language', known.language, 'times', known.times, 'days', known.days, 'destinations', known.destinations,
      'nextAt', ${isoText(sql`known.next_at`)}, 'hasKey', known.public_key is not null,
      'runs', (
        select coalesce(json_agg(json_build_object(
          'scheduledAt', ${isoText(sql`n.scheduled_at`)}, 'state', n.state, 'isCopy', n.is_copy, 'problem', n.problem,
          'destinations', (
            select coalesce(json_agg(json_build_object(
              'destination', d.destination, 'state', d.state, 'problem', d.problem) order by d.destination), '[]')
            from report_deliveries d
            where d.center_id = ${center} and d.report_id = known.id and d.scheduled_at = n.scheduled_at
          )
        ) order by n.scheduled_at desc), '[]')
        from (
          select * from report_runs where center_id = ${center} and report_id = known.id
          order by scheduled_at desc limit ${runs}
        ) n
      )
    ) order by known.number), '[]')
    from (select o.*, row_number() over () as number from (${selectReports(center)}) o) known`

/** The settings of a center. Callers may rely on: one row with one JSON object. Uses the primary key. */
export const selectSettings = (center: CenterId): Sql => sql`
    select json_build_object('locale', locale, 'automatic_booking_ids', automatic_booking_ids,
      'booking_id_session', booking_id_session, 'booking_id_format', booking_id_format,
      'meal_report_excluded_statuses', meal_report_excluded_statuses, 'meal_rules', meal_rules,
      'order_rules', order_rules, 'contradiction_kinds', contradiction_kinds)
    from centers where center_id = ${center}`
