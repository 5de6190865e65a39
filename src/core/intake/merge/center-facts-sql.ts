import sql, { type Sql } from 'sql-template-tag'

/** The facts of centers that their records depend on; one row for each center that exists. By primary key. */
export const centersSql = (centerIds: string[]): Sql => sql`
  select center_id, timezone, currency
  from centers
  where center_id = any (${centerIds}::text[])`

/** All custom fields of these centers. By the primary key's first column. */
export const metaFieldsSql = (centerIds: string[]): Sql => sql`
  select center_id, key, type, owner
  from meta_fields
  where center_id = any (${centerIds}::text[])`
