/** Statements about rewriting the database's files after rows were deleted for good. */
import sql, { type Sql } from 'sql-template-tag'

/** Notes that the files have to be rewritten once this transaction has committed. */
export const insertRewrite: Sql = sql`insert into rewrites_due default values`

/** What is noted, oldest first. */
export const selectRewrites: Sql = sql`select id, noted_at from rewrites_due order by id`

/** Deletes exactly what was noted before the rewrite began: another transaction may have committed since. */
export const deleteRewrites = (ids: readonly number[]): Sql => sql`
  delete from rewrites_due where id = any(${ids}::bigint[])`
