/** What a server's autovacuum does, for the embedded database. */
import sql, { type Sql } from 'sql-template-tag'

/** The minimum of dead or changed rows before a table is vacuumed, however small it is. */
const ROWS = 1000

/** Statistics are flushed at most once a second; this flushes them now. */
export const countNow: Sql = sql`select pg_stat_force_next_flush()`

/**
 * The tables with enough dead rows, changes since the last statistics, or old transaction numbers, quoted as
 * identifiers and in the order of their names. These are the tables that autovacuum would choose, apart from the
 * minimum of ROWS and an earlier limit for transaction numbers. Statistics are lost when the process is killed;
 * counting then starts again.
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

/** Makes the space of dead rows available again and updates the planner's statistics. @param table quoted */
export const vacuumTable = (table: string): string => `vacuum (analyze) ${table}`
