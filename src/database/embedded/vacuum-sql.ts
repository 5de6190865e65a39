/** What a server's autovacuum does, for the embedded database. */
import sql, { type Sql } from 'sql-template-tag'

/** The minimum of dead or changed rows before a table is vacuumed, however small it is. */
const ROWS = 1000

/** Statistics are flushed at most once a second; this flushes them now. */
export const countNow: Sql = sql`select pg_stat_force_next_flush()`

/** Quoted as an identifier. */
export interface WornTable {
  readonly table: string
  readonly has_dead_rows: boolean
  readonly has_changed: boolean
}

/**
 * The tables with enough dead rows, changes since the last statistics, or old transaction numbers, in the order of
 * their names. These are the tables that autovacuum would choose, apart from the minimum of ROWS and an earlier limit
 * for transaction numbers. Statistics are lost when the process is killed; counting then starts again. What was undone
 * leaves dead rows, but changes nothing that the planner knows.
 */
export const selectWornTables: Sql = sql`
  select *
  from (
    select quote_ident(t.relname) as "table",
      t.n_dead_tup > ${ROWS} + 0.2 * greatest(c.reltuples, 0)
        or age(c.relfrozenxid) > 100000000 as has_dead_rows,
      t.n_mod_since_analyze > ${ROWS} + 0.1 * greatest(c.reltuples, 0) as has_changed
    from pg_stat_user_tables t
    join pg_class c on c.oid = t.relid
    where c.relpersistence = 'p'
  ) t
  where has_dead_rows or has_changed
  order by "table"`

/**
 * What makes the space of dead rows available again, and what updates the planner's statistics, each a statement of its
 * own: everybody waits for it, and the statistics of 16,000 customers take half a second, because the keys of their
 * names are computed. Space at a table's end is kept for the next rows, because giving it back waits for the disk.
 */
export const vacuumTable = ({ table, has_dead_rows, has_changed }: WornTable): readonly string[] => [
  ...(has_dead_rows ? [`vacuum (truncate off) ${table}`] : []),
  ...(has_changed ? [`analyze ${table}`] : []),
]
