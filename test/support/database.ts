/**
 * Clean databases for tests, on the engine whose half of the run this is. Everything opened here is closed
 * when the test ends that opened it, or with its file when a hook or the file itself did.
 */
import { randomBytes } from 'node:crypto'
import { inject, onTestFinished } from 'vitest'
import type { Database } from '../../src/database/database.ts'
import { openEmbedded } from '../../src/database/embedded.ts'
import { openPostgres } from '../../src/database/postgres.ts'
import { adminQuery, withDatabase } from './postgres-databases.ts'
import { type PostgresServer, startPostgres } from './postgres-server.ts'
import { TEMPLATE } from './postgres-setup.ts'
import { borrowDatabase } from './used-again.ts'

export { emptyDatabase } from './empty-database.ts'

/** The engine of this half of the run. */
export function testEngine(): 'embedded' | 'postgres' {
  return inject('engine')
}

/** The tests' own server, as its superuser. Only in the `postgres` half. */
export function postgresUrl(): string {
  return inject('postgresUrl')
}

/** A clean database with this version's schema: 0.7 s on the embedded engine, 0.2 s on PostgreSQL, 0.02 s again. */
export async function openTestDatabase(): Promise<Database> {
  const { database, giveBack } = await borrowDatabase(openMigrated)
  afterwards(giveBack)
  return database
}

/** The URL of a new database on the tests' server: migrated, or `empty`. Dropped afterwards. */
export async function newPostgresDatabase(content: 'migrated' | 'empty' = 'migrated'): Promise<string> {
  const url = await copyTemplate(content)
  // Connections a test left open must not keep the run from ending.
  afterwards(() => adminQuery(postgresUrl(), `drop database ${new URL(url).pathname.slice(1)} with (force)`))
  return url
}

async function copyTemplate(content: 'migrated' | 'empty'): Promise<string> {
  const name = `test_${randomBytes(6).toString('hex')}`
  const template = content === 'migrated' ? TEMPLATE : 'template0'
  await adminQuery(postgresUrl(), `create database ${name} template ${template}`)
  return withDatabase(postgresUrl(), name)
}

/** A server of the test's own, to restart and to stop; starting one takes a second or two. */
export async function newPostgresServer(): Promise<PostgresServer> {
  const server = await startPostgres(inject('postgresBinaries'))
  afterwards(() => server.stop())
  return server
}

/** Not closed here: it is used again. */
async function openMigrated(): Promise<Database> {
  if (testEngine() === 'embedded') return openEmbedded({ from: inject('embeddedTemplate') })
  const connectionString = await copyTemplate('migrated')
  return openPostgres({ connection: { connectionString }, poolSize: 5, purpose: 'command' })
}

type Cleanup = () => Promise<unknown>

const ofTheFile: Cleanup[] = []

/** What a file opened outside its tests, at its end (`file-end.ts`). */
export async function closeWhatTheFileOpened(): Promise<void> {
  for (const cleanup of ofTheFile.splice(0).reverse()) await cleanup()
}

/** Last in, first out: connections are closed before their database is dropped. */
export function afterwards(cleanup: Cleanup): void {
  try {
    onTestFinished(async () => {
      await cleanup()
    })
  } catch {
    // Vitest refuses outside a test: then it belongs to the file.
    ofTheFile.push(cleanup)
  }
}
