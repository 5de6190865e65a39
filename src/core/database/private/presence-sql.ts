/** Who uses a private server. */
import sql, { type Sql } from 'sql-template-tag'

/** The advisory lock that each process holds shared; who gets it for itself is the last one. */
export const PRESENCE = 7_364_974

/** The other processes that use the server of this database. */
export const selectOtherProcesses: Sql = sql`
  select (count(*) - 1)::integer as count from pg_locks
  where locktype = 'advisory' and objid = ${PRESENCE} and mode = 'ShareLock' and granted`
