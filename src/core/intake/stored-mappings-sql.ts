/** Mappings stored with their center (migrations/0040-baseline.sql). */
import sql, { type Sql } from 'sql-template-tag'

export interface StoredMappingRow {
  center_id: string
  name: string
  body: string
  /** epoch ms */
  saved_at: number
  saved_by: string
}

/** The mappings of one center, or of all, ordered by center and name. */
export function selectMappingsSql(centerId: string | undefined): Sql {
  const all = centerId === undefined
  return sql`
    select center_id, name, body, saved_at, saved_by
    from mappings
    where ${all} or center_id = ${centerId ?? ''}
    order by center_id, name`
}

/** One mapping. By the primary key. */
export const selectMappingSql = (centerId: string, name: string): Sql => sql`
  select center_id, name, body, saved_at, saved_by
  from mappings
  where center_id = ${centerId} and name = ${name}`

/** Stores a mapping or replaces one of the same name. Returns no row if the center has `limit` other mappings. */
export const saveMappingSql = (
  { center_id, name, body, saved_by }: Omit<StoredMappingRow, 'saved_at'>,
  limit: number,
): Sql => sql`
  with center as (select center_id from centers where center_id = ${center_id} for update)
  insert into mappings (center_id, name, body, saved_by)
  select c.center_id, ${name}, ${body}, ${saved_by}
  from center c
  where (select count(*) from mappings m where m.center_id = c.center_id and m.name <> ${name}) < ${limit}
  on conflict (center_id, name) do update
    set body = excluded.body, saved_at = clock_timestamp(), saved_by = excluded.saved_by
  returning name`

/** Deletes a mapping and returns its name; no row if there was none. */
export const deleteMappingSql = (centerId: string, name: string): Sql => sql`
  delete from mappings where center_id = ${centerId} and name = ${name} returning name`
