/**
 * Removes deleted rows from the database's files, where they remain until they are overwritten. In a
 * folder, the tables are rewritten and the log is switched and removed, so that nothing remains. A server that is given
 * shares its log with backups and replicas, which only its operator controls: there the space is only released.
 *
 * What has to be rewritten is noted in the transaction that deletes the rows. So a rewrite that was interrupted is
 * completed by the next start, or by repeating the command.
 */
import type { Database, Queryable } from '../database.ts'
import { deleteRewrites, insertRewrite, selectRewrites } from './rewrites-sql.ts'

const TABLES = [
  'customers',
  'bookings',
  'booking_sessions',
  'orders',
  'meal_sheets',
  'record_versions',
  'contradictions',
  'contradiction_records',
]

const ON_A_SERVER = TABLES.map((table) => `vacuum (analyze) ${table}`)

/**
 * `analyze` leaves the statistics of an index as they are if no row of the table is in it any more. They quote values, of the
 * person too.
 */
const FORGET_STATISTICS = `delete from pg_statistic where starelid in (
  select indexrelid from pg_index where indrelid in (${TABLES.map((table) => `'${table}'::regclass`).join(', ')}))`

/** On the private server. It recycles no file of the log: the end of a checkpoint removes those that are not needed. */
const IN_THE_FOLDER = [
  FORGET_STATISTICS,
  ...TABLES.map((table) => `vacuum (full, analyze) ${table}`),
  // Statistics contain frequent values, and bounds of the others.
  'vacuum full pg_statistic',
  ...['select pg_switch_wal()', 'checkpoint', 'select pg_switch_wal()', 'checkpoint'],
]

/** Notes that the files have to be rewritten once this transaction has committed. */
export const noteRewrite = (tx: Queryable): Promise<unknown> => tx.query(insertRewrite)

/** Since when a rewrite has not been completed, in epoch ms; undefined if none is due. */
export async function rewriteDueSince(database: Queryable): Promise<number | undefined> {
  const [oldest] = await database.query<{ noted_at: number }>(selectRewrites)
  return oldest?.noted_at
}

/**
 * Completes the rewrites that are due. Does nothing if none is.
 * @returns whether one was due
 * @throws if the database refuses, for example because the disk is full; the rewrite remains due then
 */
export async function completeRewrites(database: Database): Promise<boolean> {
  const due = await database.query<{ id: number }>(selectRewrites)
  if (due.length === 0) return false
  if (database.asSuperuser !== undefined) await database.asSuperuser(IN_THE_FOLDER)
  else for (const statement of ON_A_SERVER) await database.runScript(statement)
  await database.query(deleteRewrites(due.map(({ id }) => id)))
  return true
}
