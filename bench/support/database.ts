/** Databases for measurements, on the server that the bench uses. */
import { randomBytes } from 'node:crypto'
import { totalmem } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import pg from 'pg'
import { createKey } from '../../src/core/access/keys/create-key.ts'
import { ORDINARY_SCOPES } from '../../src/core/access/keys/scopes.ts'
import type { Database } from '../../src/core/database/database.ts'
import { openPostgres } from '../../src/core/database/postgres/postgres.ts'
import { allMigrations, migrate } from '../../src/core/database/schema/migrate.ts'
import { findPostgres } from '../../test/support/postgres-binaries.ts'
import { adminQuery, withDatabase } from '../../test/support/postgres-databases.ts'
import { type PostgresServer, startPostgres } from '../../test/support/postgres-server.ts'
import { type Bench, BenchFailed } from './bench.ts'
import { type DataSize, makeData } from './make-data.ts'
import { cpuMicrosWithChildren, exactCpuMicros, parentOf } from './processes.ts'

/** Configured like a production server: crash-safe, with a quarter of the memory for its cache, up to 4 GB. */
export async function startServer(): Promise<PostgresServer> {
  const binaries = findPostgres()
  if (!binaries.found) throw new BenchFailed(`PostgreSQL does not start: ${binaries.reason}`)
  const gb = Math.min(4, Math.max(1, Math.floor(totalmem() / 2 ** 30 / 4)))
  return startPostgres(binaries, {
    max_connections: '100',
    shared_buffers: `${gb}GB`,
    work_mem: '16MB',
    fsync: 'on',
    synchronous_commit: 'on',
    full_page_writes: 'on',
    wal_level: 'replica',
    max_wal_size: '8GB',
    checkpoint_timeout: '15min',
  })
}

export interface BenchDatabase {
  readonly url: string
  readonly size: DataSize
  readonly database: Database
}

/** The migrated database with this many bookings; created if it does not exist yet. */
export async function openBookings(
  bench: Bench,
  bookings: number,
  guestsPerSession?: number,
): Promise<BenchDatabase> {
  const { url, size } = await makeData(await bench.serverUrl(), bookings, bench.log, guestsPerSession)
  return { url, size, database: await openMigrated(bench, url) }
}

/** A new, empty, migrated database, dropped afterwards. */
export async function newDatabase(bench: Bench): Promise<{ url: string; database: Database }> {
  const { url, database } = await bareDatabase(bench)
  await migrate(database)
  return { url, database }
}

/** A new database without tables, for a version that migrates it itself; dropped afterwards. */
export async function bareDatabase(bench: Bench): Promise<{ url: string; database: Database }> {
  const server = await bench.serverUrl()
  const name = `bench_tmp_${randomBytes(4).toString('hex')}`
  await adminQuery(server, `create database ${name}`)
  bench.afterwards(() => adminQuery(server, `drop database ${name} with (force)`))
  const url = withDatabase(server, name)
  return { url, database: open(bench, url) }
}

/**
 * The database with this many bookings for another version, to be used with that version's own commands.
 * @param checkout folder of the other version
 */
export async function makeBookingsOf(
  bench: Bench,
  checkout: string,
  bookings: number,
  guestsPerSession?: number,
): Promise<Pick<BenchDatabase, 'url' | 'size'>> {
  const migrations = allMigrations(pathToFileURL(join(checkout, 'src/core/database/migrations/')))
  return makeData(await bench.serverUrl(), bookings, bench.log, guestsPerSession, migrations)
}

async function openMigrated(bench: Bench, url: string): Promise<Database> {
  const database = open(bench, url)
  await migrate(database)
  return database
}

function open(bench: Bench, url: string): Database {
  const database = openPostgres({ connection: { connectionString: url }, poolSize: 8, purpose: 'command' })
  bench.afterwards(() => database.close())
  return database
}

/** Practically unlimited, but every request is counted. */
const LIMIT = 1_000_000_000

/** Creates a key that reads everything of a center. */
export async function makeKey(database: Database, centerId: string): Promise<string> {
  return (await makeNamedKey(database, centerId)).apiKey
}

/** Creates the key, and returns it with its names. */
export function makeNamedKey(database: Database, centerId: string) {
  return createKey(
    database,
    { centerId, name: 'bench', scopes: ORDINARY_SCOPES, perHour: LIMIT, perMinute: LIMIT },
    { random: randomBytes, now: Date.now() },
  )
}

/** @returns a function for the CPU time of all server processes so far, in µs; the server must be on this machine */
export async function databaseCpu(url: string): Promise<() => number> {
  const client = new pg.Client(url)
  await client.connect()
  try {
    const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
    // Every backend is a child of the server's first process.
    const first = parentOf(rows[0]?.pid ?? 0)
    return () => cpuMicrosWithChildren(first)
  } finally {
    await client.end()
  }
}

/**
 * @returns the CPU time so far of each process that is connected to this database now, in µs; the server must be on
 * this machine
 */
export async function backendsCpu(url: string): Promise<ReadonlyMap<number, number>> {
  const rows = await ask<{ pid: number }>(
    url,
    `select pid from pg_stat_activity
     where datname = current_database() and backend_type = 'client backend' and pid <> pg_backend_pid()`,
  )
  const backends = new Map<number, number>()
  for (const { pid } of rows) {
    try {
      backends.set(pid, exactCpuMicros(pid))
    } catch {
      // It has ended in the meantime.
    }
  }
  return backends
}

/** Runs one statement on a connection of its own. */
export async function ask<R extends pg.QueryResultRow>(
  url: string,
  text: string,
  values: unknown[] = [],
): Promise<R[]> {
  const client = new pg.Client(url)
  await client.connect()
  try {
    return (await client.query<R>(text, values)).rows
  } finally {
    await client.end()
  }
}
