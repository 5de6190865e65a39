/** Reads the database's clock. */
import sql, { type Sql } from 'sql-template-tag'

/** The time of the statement, not the start of its transaction. */
export const selectNow: Sql = sql`select clock_timestamp() as now`
