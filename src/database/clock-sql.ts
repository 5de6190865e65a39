/** What asks for the database's moment. */
import sql, { type Sql } from 'sql-template-tag'

/** Of the statement, not of the transaction it stands in. */
export const selectNow: Sql = sql`select clock_timestamp() as now`
