import sql, { type Sql } from 'sql-template-tag'

/** The versions of records that have one. By the primary key. */
export const selectVersionsSql = (
  kind: string,
  centerIds: readonly string[],
  keys: readonly string[],
): Sql => sql`
  select v.center_id, v.key, v.version
  from unnest(${centerIds}::text[], ${keys}::text[]) as k (center_id, key)
  join record_versions v on v.center_id = k.center_id and v.kind = ${kind} and v.key = k.key`

/** Stores versions, unless a newer one is stored already. By the primary key. */
export const noteVersionsSql = (
  kind: string,
  centerIds: readonly string[],
  keys: readonly string[],
  versions: readonly number[],
): Sql => sql`
  insert into record_versions as v (center_id, kind, key, version)
  select k.center_id, ${kind}, k.key, k.version
  from unnest(${centerIds}::text[], ${keys}::text[], ${versions}::bigint[]) as k (center_id, key, version)
  -- A center that these same records remove keeps none.
  join centers c on c.center_id = k.center_id
  on conflict (center_id, kind, key) do update set version = excluded.version
  where v.version < excluded.version`
