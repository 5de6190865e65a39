/**
 * Removes deleted rows from the database's files, where they remain until they are overwritten. On the embedded
 * database, the tables are rewritten and the log is switched and removed, so that nothing remains. A PostgreSQL server
 * shares its log with backups and replicas, which only its operator controls: there the space is only released.
 */
import type { Database } from '../database/database.ts'

const TABLES = ['customers', 'bookings', 'booking_sessions', 'orders', 'meal_sheets', 'record_versions']

/** Runs the statements for the engine. */
export async function scrub(database: Database): Promise<void> {
  for (const statement of database.engine === 'embedded' ? EMBEDDED : SERVER)
    await database.runScript(statement)
}

const SERVER = TABLES.map((table) => `vacuum (analyze) ${table}`)

const EMBEDDED = [
  ...TABLES.map((table) => `vacuum (full, analyze) ${table}`),
  // Statistics contain frequent values, and bounds of the others.
  'vacuum full pg_statistic',
  'set wal_recycle = off',
  'select pg_switch_wal()',
  'checkpoint',
  // The end of a checkpoint removes the log that the previous one needed.
  'select pg_switch_wal()',
  'checkpoint',
  'reset wal_recycle',
]
