/** Reads where the log of the embedded database is, for a copy of its files. */
import sql, { type Sql } from 'sql-template-tag'

export interface CheckpointRow {
  /** where a recovery from this checkpoint begins */
  readonly redo: string
  readonly timeline: number
}

/** The last checkpoint. */
export const selectCheckpoint: Sql = sql`
  select redo_lsn::text as redo, timeline_id as timeline from pg_control_checkpoint()`

/** The end of the log on the disk. Every commit that was confirmed is before it. */
export const selectEndOfLog: Sql = sql`select pg_current_wal_flush_lsn()::text as position`
