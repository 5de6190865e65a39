import sql, { type Sql } from 'sql-template-tag'

/** What the import page says of its center. By the primary key. */
export const selectNameSql = (center: string): Sql => sql`
  select name, timezone, currency from centers where center_id = ${center}`

/** What the center calls its custom fields. By the primary key. */
export const customFieldsSql = (center: string): Sql => sql`
  select owner as of, key, coalesce(label, key) as label from meta_fields where center_id = ${center}`
