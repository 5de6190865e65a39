/**
 * A deleted row is still in the files of a database until something else is written over it. On the embedded database
 * its tables are written anew, and its log is ended and removed, so that nothing of the row is left. A PostgreSQL server
 * shares its log with backups and replicas, which only its operator can say anything about: there the room is given free.
 */
import type { Database } from '../database/database.ts'

const TABLES = ['customers', 'bookings', 'booking_sessions', 'orders', 'meal_sheets', 'record_versions']

export async function scrub(database: Database): Promise<void> {
  for (const statement of database.engine === 'embedded' ? EMBEDDED : SERVER)
    await database.runScript(statement)
}

const SERVER = TABLES.map((table) => `vacuum (analyze) ${table}`)

const EMBEDDED = [
  ...TABLES.map((table) => `vacuum (full, analyze) ${table}`),
  // Statistics quote frequent values, and bounds of the others.
  'vacuum full pg_statistic',
  'set wal_recycle = off',
  'select pg_switch_wal()',
  'checkpoint',
  // The end of a checkpoint removes what the one before it needed.
  'select pg_switch_wal()',
  'checkpoint',
  'reset wal_recycle',
]
