/** Fills new databases for measurements and logs how long it takes. */
import pg from 'pg'
import { raw, type Sql } from 'sql-template-tag'
import type { Database } from '../../src/core/database/database.ts'
import { openPostgres } from '../../src/core/database/postgres/postgres.ts'
import { type Migration, migrate } from '../../src/core/database/schema/migrate.ts'
import {
  type DataSize,
  dataSize,
  fillStatements,
  GUESTS_PER_SESSION,
  orderStatements,
} from './make-data-sql.ts'

export type { DataSize } from './make-data-sql.ts'

/** Building an index once is much cheaper than updating it while rows are inserted. The same statements recreate it. */
const INDEXES = `
  select format('drop index %I', indexname) as drop, indexdef as make
  from pg_indexes
  where schemaname = 'public' and tablename in ('bookings', 'customers', 'orders', 'booking_sessions', 'sessions')
    and indexname not like '%_pkey'`

/** Versions differ in the columns of booking_sessions. */
const NEXT_TO_SESSIONS = `
  select column_name as name from information_schema.columns
  where table_schema = 'public' and table_name = 'booking_sessions' order by ordinal_position`

/**
 * The database with this many bookings on the server of `url`; created if it does not exist yet.
 * @param migrations of another version, which then gets a database of its own
 * @returns its URL and size
 */
export async function makeData(
  url: string,
  bookings: number,
  log: (line: string) => void,
  guestsPerSession?: number,
  migrations?: Migration[],
): Promise<{ url: string; size: DataSize }> {
  const size = dataSize(bookings, guestsPerSession)
  const by = guestsPerSession === undefined ? '' : `_by_${guestsPerSession}`
  const of = migrations === undefined ? '' : `_of_${migrations.length}`
  const made = await makeOnce(url, `bench_${bookings}${by}${of}`, log, async (database) => {
    await migrate(database, migrations)
    const columns = await database.query<{ name: string }>(raw(NEXT_TO_SESSIONS))
    const statements = fillStatements(
      size,
      columns.map(({ name }) => name),
    )
    await fill(database, statements, log)
  })
  return { url: made, size }
}

/** The database with one center, `1`, and this many orders within one year. */
export const makeOrders = (url: string, orders: number, log: (line: string) => void): Promise<string> =>
  makeOnce(url, `bench_orders_${orders}`, log, async (database) => {
    await migrate(database)
    await fill(database, orderStatements(orders), log)
  })

async function makeOnce(
  url: string,
  name: string,
  log: (line: string) => void,
  make: (database: Database) => Promise<void>,
): Promise<string> {
  const admin = new pg.Client(url)
  await admin.connect()
  try {
    // The name shows that the database is complete: one whose creation was interrupted is created again.
    const done = databaseOf(url, `${name}_done`)
    const { rowCount } = await admin.query('select from pg_database where datname = $1', [`${name}_done`])
    if (rowCount === 1) return done
    await admin.query(`drop database if exists ${name} with (force)`)
    await admin.query(`create database ${name}`)
    const begun = performance.now()
    const database = openPostgres({
      connection: { connectionString: databaseOf(url, name) },
      poolSize: 1,
      purpose: 'command',
    })
    try {
      await make(database)
    } finally {
      await database.close()
    }
    await admin.query(`alter database ${name} rename to ${name}_done`)
    log(`${name} made in ${seconds(begun)}`)
    return done
  } finally {
    await admin.end()
  }
}

/** The only center of a new, migrated database gets this many bookings. */
export async function fillOneCenter(
  database: Database,
  bookings: number,
  log: (line: string) => void,
): Promise<DataSize> {
  const bigCenterSessions = Math.round(bookings / GUESTS_PER_SESSION)
  const size = { bookings, guestsPerSession: GUESTS_PER_SESSION, bigCenterSessions, centers: 1 }
  const columns = await database.query<{ name: string }>(raw(NEXT_TO_SESSIONS))
  const statements = fillStatements(
    size,
    columns.map(({ name }) => name),
  )
  // A statement outside of a transaction would have to answer within seconds.
  await database.transaction((tx) => fillTables(tx, statements, log, '64MB'))
  await database.runScript('vacuum analyze')
  return size
}

/** Uses the only connection of the database's pool, whose settings are changed. */
async function fill(
  database: Database,
  statements: readonly Sql[],
  log: (line: string) => void,
): Promise<void> {
  await fillTables(database, statements, log, '1GB')
  await database.runScript('vacuum analyze')
}

/** @param memory for making an index */
async function fillTables(
  database: Pick<Database, 'query'>,
  statements: readonly Sql[],
  log: (line: string) => void,
  memory: string,
): Promise<void> {
  const indexes = await database.query<{ drop: string; make: string }>(raw(INDEXES))
  await database.query(raw(`set session_replication_role = replica`))
  await database.query(raw(`set maintenance_work_mem = '${memory}'`))
  for (const index of indexes) await database.query(raw(index.drop))
  for (const statement of statements) {
    const at = performance.now()
    await database.query(statement)
    log(`${statement.text.trim().slice(0, 40).replaceAll(/\s+/g, ' ')}… ${seconds(at)}`)
  }
  for (const index of indexes) await database.query(raw(index.make))
  // The database of a folder has one session: what is written next has its triggers.
  await database.query(raw('reset session_replication_role'))
}

function databaseOf(url: string, name: string): string {
  const changed = new URL(url)
  changed.pathname = `/${name}`
  return changed.href
}

const seconds = (since: number) => `${((performance.now() - since) / 1000).toFixed(1)} s`
