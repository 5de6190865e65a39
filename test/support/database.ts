/**
 * Clean databases for tests. Everything opened here is closed when its test ends, or with its file if a hook or the file itself
 * opened it.
 */
import { randomBytes } from 'node:crypto'
import { inject, onTestFinished } from 'vitest'
import type { Database } from '../../src/core/database/database.ts'
import { openPostgres } from '../../src/core/database/postgres/postgres.ts'
import { adminQuery, withDatabase } from './postgres-databases.ts'
import { type PostgresServer, startPostgres } from './postgres-server.ts'
import { TEMPLATE } from './postgres-setup.ts'
import { borrowDatabase } from './used-again.ts'

export { emptyDatabase } from './empty-database.ts'

/** The URL of the tests' own server as its superuser. */
export function postgresUrl(): string {
  return inject('postgresUrl')
}

/** A clean database with this version's schema: 0.2 s, or 0.02 s if one is reused. */
export async function openTestDatabase(): Promise<Database> {
  const { database, giveBack } = await borrowDatabase(openMigrated)
  afterwards(giveBack)
  return database
}

/** The URL of a new database on the tests' server: migrated, or `empty`. It is dropped afterwards. */
export async function newPostgresDatabase(content: 'migrated' | 'empty' = 'migrated'): Promise<string> {
  const url = await copyTemplate(content)
  // With force, so that connections left open by a test do not keep the run from ending.
  afterwards(() => adminQuery(postgresUrl(), `drop database ${new URL(url).pathname.slice(1)} with (force)`))
  return url
}

async function copyTemplate(content: 'migrated' | 'empty'): Promise<string> {
  const name = `test_${randomBytes(6).toString('hex')}`
  const template = content === 'migrated' ? TEMPLATE : 'template0'
  await adminQuery(postgresUrl(), `create database ${name} template ${template}`)
  return withDatabase(postgresUrl(), name)
}

/** A separate server that the test may restart and stop. Starting one takes a second or two. */
export async function newPostgresServer(): Promise<PostgresServer> {
  const server = await startPostgres(inject('postgresBinaries'))
  afterwards(() => server.stop())
  return server
}

/** Not closed here, because it is reused. */
async function openMigrated(): Promise<Database> {
  const connectionString = await copyTemplate('migrated')
  return openPostgres({ connection: { connectionString }, poolSize: 5, purpose: 'command' })
}

type Cleanup = () => Promise<unknown>

const ofTheFile: Cleanup[] = []

/** Closes what a file opened outside its tests, at the end of the file (`file-end.ts`). */
export async function closeWhatTheFileOpened(): Promise<void> {
  for (const cleanup of ofTheFile.splice(0).reverse()) await cleanup()
}

/** Runs last in, first out: connections are closed before their database is dropped. */
export function afterwards(cleanup: Cleanup): void {
  try {
    onTestFinished(async () => {
      await cleanup()
    })
  } catch {
    // Outside a test, Vitest throws; the cleanup then belongs to the file.
    ofTheFile.push(cleanup)
  }
}
