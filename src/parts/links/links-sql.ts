/** The statements that the commands use for links. The gate has its own query (access/link-states.ts). */
import sql, { empty, type Sql } from 'sql-template-tag'
import type { NewLinkRow } from './link.ts'

export function insertLink(row: NewLinkRow): Sql {
  return sql`
    insert into links (center_id, id, app_id, name, secret_hash, question, language, allow_sensitive, per_hour, per_minute,
      allowed_addresses, created_at, expires_at)
    values (${row.center_id}, ${row.id}, ${row.app_id}, ${row.name}, ${row.secret_hash}, ${row.question}, ${row.language},
      ${row.allow_sensitive}, ${row.per_hour}, ${row.per_minute}, ${row.allowed_addresses}, ${row.created_at},
      ${row.expires_at})`
}

/** Includes whether its application has an active key, and the number of requests in the last 30 days. */
const select = sql`
  select l.id, l.center_id, l.app_id, l.name, l.question, l.language, l.allow_sensitive, l.per_hour, l.per_minute,
    l.allowed_addresses, l.created_at, l.expires_at, l.revoked_at,
    exists (
      select 1 from api_keys k
      where k.center_id = l.center_id and k.app_id = l.app_id and k.revoked_at is null
        and coalesce(k.expires_at > clock_timestamp(), true)
    ) as has_key,
    coalesce((
      select sum(u.requests) from usage_days u
      where u.center_id = l.center_id and u.app_id = l.id and u.day > (now() - interval '30 days')::date
    ), 0)::bigint as requests,
    (
      select to_char(max(u.day), 'YYYY-MM-DD') from usage_days u where u.center_id = l.center_id and u.app_id = l.id
    ) as last_day
  from links l`

/** The links of one center, or of all, in the order of their creation. */
export function linksOfCenter(centerId: string | undefined): Sql {
  const where = centerId === undefined ? empty : sql`where l.center_id = ${centerId}`
  return sql`${select} ${where} order by l.center_id, l.created_at, l.id`
}

/** The link with this identifier, or all links of an application; of one center, or of any. */
export function linksNamed(id: string, center?: string): Sql {
  const ofCenter = center === undefined ? empty : sql`and l.center_id = ${center}`
  return sql`${select} where (l.id = ${id} or l.app_id = ${id}) ${ofCenter} order by l.created_at, l.id`
}

/** Revokes those links that are not revoked yet, and returns them. */
export function revokeLinks(ids: readonly string[], now: string): Sql {
  return sql`update links set revoked_at = ${now} where id = any(${ids}) and revoked_at is null returning id`
}
