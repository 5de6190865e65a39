/** Statements about the server that gave the numbers of transactions in the database. All are about the whole database. */
import sql, { type Sql } from 'sql-template-tag'

/** Whether a server can be stored (a schema of before has no such table), and whether this role may read its own. */
export const selectOriginPrivileges: Sql = sql`
  select to_regclass('database_origin') is not null as has_table,
    has_function_privilege('pg_control_system()', 'execute') as may_read`

/** Identifier of this server's data, which a physical copy shares. Fails if the role may not read it. */
export const selectOwnOrigin: Sql = sql`select system_identifier::text as id from pg_control_system()`

/** The stored server: one row at most. */
export const selectStoredOrigin: Sql = sql`select system_identifier as id from database_origin`

/**
 * Whether numbers are stored that this server has not given yet. Each number that a snapshot shows is below its end. One
 * index look-up for each center and table.
 */
export const selectIsAhead: Sql = sql`
  select coalesce(bool_or(newest.transaction_id >= pg_snapshot_xmax(pg_current_snapshot())), false) as ahead
  from center_revisions r
  cross join lateral (
    (select transaction_id from change_commits
     where center_id = r.center_id order by transaction_id desc limit 1)
    union all
    (select transaction_id from changes where center_id = r.center_id order by transaction_id desc limit 1)
    union all
    (select transaction_id from center_touches where center_id = r.center_id order by transaction_id desc limit 1)
  ) newest`

/** Removes every number. `truncate` takes the tables for itself, so no commit adds one meanwhile. */
export const truncateNumbers: Sql = sql`truncate center_touches, changes, change_commits`

/** Begins a new history: cursors and snapshots of before are a 410. */
export const updateHistories: Sql = sql`update center_revisions set history_id = gen_random_uuid()`

/** Stores the server, in place of the one before. */
export const upsertOrigin = (id: string): Sql => sql`
  insert into database_origin (system_identifier) values (${id})
  on conflict (only_row) do update set system_identifier = excluded.system_identifier`
