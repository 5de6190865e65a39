import sql, { type Sql } from 'sql-template-tag'

// A cursor for a result of any length, read in chunks within the import's transaction.
export const declareCursorSql = (statement: Sql): Sql =>
  sql`declare import_chunks no scroll cursor for ${statement}`
export const fetchCursorSql = (rows: Sql): Sql => sql`fetch ${rows} from import_chunks`
export const closeCursorSql: Sql = sql`close import_chunks`
