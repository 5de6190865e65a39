import sql, { type Sql } from 'sql-template-tag'

/** What the import page says of its center. By the primary key. */
export const selectNameSql = (center: string): Sql => sql`
  select name, timezone, currency from centers where center_id = ${center}`
