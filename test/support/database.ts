/**
 * Clean databases for tests, on the engine whose half of the run this is. Everything opened here is closed
 * when the test ends that opened it, or with its file when a hook or the file itself did.
 */
import { randomBytes } from 'node:crypto'
import sql from 'sql-template-tag'
import { inject, onTestFinished } from 'vitest'
import type { Database } from '../../src/database/database.ts'
import { openPostgres } from '../../src/database/postgres.ts'
import { adminQuery, withDatabase } from './postgres-databases.ts'
import { type PostgresServer, startPostgres } from './postgres-server.ts'
import { TEMPLATE } from './postgres-setup.ts'
import { borrowEmbedded } from './used-again.ts'

/** The engine of this half of the run. */
export function testEngine(): 'embedded' | 'postgres' {
  return inject('engine')
}

/** The tests' own server, as its superuser. Only in the `postgres` half. */
export function postgresUrl(): string {
  return inject('postgresUrl')
}

/** A clean database with this version's schema: 0.7 s on the embedded engine, 0.03 s again, 0.1 s on PostgreSQL. */
export async function openTestDatabase(): Promise<Database> {
  return testEngine() === 'embedded' ? openMigratedEmbedded() : openMigratedPostgres()
}

/**
 * Takes every row out, revisions and counters too: for a file of many small tests, in 0.02 s where a
 * database for each would be 0.3 s on the embedded engine.
 */
export async function emptyDatabase(database: Database): Promise<void> {
  await database.query(sql`truncate centers cascade`)
  // Apart, because the first one's own notes are in them once it is committed.
  await database.query(
    sql`truncate center_revisions, center_touches, booking_counters, change_commits, changes`,
  )
}

/** The URL of a new database on the tests' server: migrated, or `empty`. Dropped afterwards. */
export async function newPostgresDatabase(content: 'migrated' | 'empty' = 'migrated'): Promise<string> {
  const name = `test_${randomBytes(6).toString('hex')}`
  const template = content === 'migrated' ? TEMPLATE : 'template0'
  await adminQuery(postgresUrl(), `create database ${name} template ${template}`)
  // Connections a test left open must not keep the run from ending.
  afterwards(() => adminQuery(postgresUrl(), `drop database ${name} with (force)`))
  return withDatabase(postgresUrl(), name)
}

/** A server of the test's own, to restart and to stop; starting one takes a second or two. */
export async function newPostgresServer(): Promise<PostgresServer> {
  const server = await startPostgres(inject('postgresBinaries'))
  afterwards(() => server.stop())
  return server
}

async function openMigratedPostgres(): Promise<Database> {
  const database = openPostgres({
    connection: { connectionString: await newPostgresDatabase() },
    poolSize: 5,
    purpose: 'command',
  })
  afterwards(() => database.close())
  return database
}

async function openMigratedEmbedded(): Promise<Database> {
  const { database, giveBack } = await borrowEmbedded()
  afterwards(giveBack)
  return database
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
