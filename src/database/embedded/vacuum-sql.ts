/** What a server's autovacuum does, where there is no server. */
import sql, { type Sql } from 'sql-template-tag'

/** So many rows may be of no more use before it is worth looking at a table, however small it is. */
const ROWS = 1000

/** What has happened is counted once a second at most; this counts it now. */
export const countNow: Sql = sql`select pg_stat_force_next_flush()`

/**
 * The tables that have enough dead rows, changes since their last statistics, or old transaction numbers, quoted as
 * identifiers: the ones that a server would take, but for ROWS, and long before it has to. Counts are lost when the
 * process is killed; what happens afterwards is counted again.
 */
export const selectWornTables: Sql = sql`
  select quote_ident(t.relname) as "table"
  from pg_stat_user_tables t
  join pg_class c on c.oid = t.relid
  where c.relpersistence = 'p'
    and (
      t.n_dead_tup > ${ROWS} + 0.2 * greatest(c.reltuples, 0)
      or t.n_mod_since_analyze > ${ROWS} + 0.1 * greatest(c.reltuples, 0)
      or age(c.relfrozenxid) > 100000000
    )
  order by t.relname`

/** Gives the room of dead rows to new ones, and counts anew what the planner goes by. @param table quoted */
export const vacuumTable = (table: string): string => `vacuum (analyze) ${table}`
