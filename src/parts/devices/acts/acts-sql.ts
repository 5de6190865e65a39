/** Links for devices as the administration lists them. */
import sql, { type Sql } from 'sql-template-tag'
import { isoText, type PartOfList } from '../../../core/acts/acts-sql.ts'
import type { CenterId } from '../../../core/records/centers/center.ts'

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
