/** Links as the administration counts and lists them. */
import sql, { type Sql } from 'sql-template-tag'
import { isoText, type PartOfList } from '../../../core/acts/acts-sql.ts'
import type { CenterId } from '../../../core/records/centers/center.ts'
import { linksOfCenter } from '../links-sql.ts'

/** How many links a center has. Callers may rely on: one row. */
export const countLinks = (center: CenterId): Sql => sql`
    select count(*)::integer as count from links where center_id = ${center}`

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
