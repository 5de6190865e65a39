/** Keys and settings as the administration lists them. Times are those of the database. */
import sql, { type Sql } from 'sql-template-tag'
import { isoText, type PartOfList } from '../../core/acts/acts-sql.ts'
import type { CenterId } from '../../core/records/centers/center.ts'

/** How many keys a center has. Callers may rely on: one row. */
export const countKeys = (center: CenterId): Sql => sql`
    select count(*)::integer as count from api_keys where center_id = ${center}`

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

/** The settings of a center. Callers may rely on: one row with one JSON object. Uses the primary key. */
export const selectSettings = (center: CenterId): Sql => sql`
    select json_build_object('locale', locale, 'automatic_booking_ids', automatic_booking_ids,
      'booking_id_session', booking_id_session, 'booking_id_format', booking_id_format,
      'meal_report_excluded_statuses', meal_report_excluded_statuses, 'meal_rules', meal_rules,
      'order_rules', order_rules, 'contradiction_kinds', contradiction_kinds)
    from centers where center_id = ${center}`
