import sql, { type Sql } from 'sql-template-tag'

/** Whether any key was ever created. It reads one row at most. */
export const selectHasKeys: Sql = sql`
  select exists (select from api_keys) as "hasKeys"`
