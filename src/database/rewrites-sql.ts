/** Statements about rewriting the database's files after rows were deleted for good. */
import sql, { type Sql } from 'sql-template-tag'

/** Notes that the files have to be rewritten once this transaction has committed. */
export const insertRewrite: Sql = sql`insert into rewrites_due default values`

/** What is noted, oldest first. */
export const selectRewrites: Sql = sql`select id, noted_at from rewrites_due order by id`

/** Deletes exactly what was noted before the rewrite began: another transaction may have committed since. */
export const deleteRewrites = (ids: readonly number[]): Sql => sql`
  delete from rewrites_due where id = any(${ids}::bigint[])`

/**
 * The number of files after the current one in the write-ahead log. They are old ones, renamed for use, and hold what
 * they held. Embedded database only.
 */
export const countLogFilesAhead: Sql = sql`
  select count(*)::integer as files from pg_ls_waldir()
  where name ~ '^[0-9A-F]{24}$' and name > pg_walfile_name(pg_current_wal_lsn())`
