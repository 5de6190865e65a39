/** The same small center in a database in a folder and on PostgreSQL. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Database } from '../../src/core/database/database.ts'
import { openDatabase } from '../../src/core/database/open.ts'
import { importRecords } from '../../src/core/intake/import-records.ts'
import { localFiles } from '../../src/core/intake/lines/files.ts'
import { readFiles } from '../../src/core/intake/lines/read-files.ts'
import type { Bench } from './bench.ts'
import { makeKey } from './database.ts'
import { CENTER, writeRecords, writeSessions } from './records.ts'

const RECORDS = 10_000

export interface RecordsFile {
  readonly file: string
  readonly sessions: number
}

/** Writes records of a small center to a file. */
export async function smallRecords(bench: Bench, records: number = RECORDS): Promise<RecordsFile> {
  const file = recordsFile(bench)
  return { file, sessions: await writeRecords(file, records) }
}

/** Sessions that follow each other in a year of records. */
export const YEAR_SESSIONS = 36

/** Records of this many sessions within a year, which begins on `FIRST_DAY`. */
export async function yearOfRecords(bench: Bench, sessions: number): Promise<RecordsFile> {
  const file = recordsFile(bench)
  await writeSessions(file, sessions, YEAR_SESSIONS)
  return { file, sessions }
}

function recordsFile(bench: Bench): string {
  const folder = mkdtempSync(join(tmpdir(), 'sojourn-bench-'))
  bench.afterwards(() => rmSync(folder, { recursive: true }))
  return join(folder, 'records.ndjson')
}

/** A folder of a database in a folder with these records, and a key. */
export async function makeFolder(
  bench: Bench,
  records: RecordsFile,
): Promise<{ dataDir: string; apiKey: string }> {
  const dataDir = mkdtempSync(join(tmpdir(), 'sojourn-bench-'))
  bench.afterwards(() => rmSync(dataDir, { recursive: true }))
  const database = await openFolder(dataDir)
  const apiKey = await fillWith(database, records)
  await database.close()
  return { dataDir, apiKey }
}

/** Imports the records. @returns a key that reads them */
export async function fillWith(database: Database, { file }: RecordsFile): Promise<string> {
  await importRecords(database, await readFiles([file], localFiles(process.stdin)))
  return makeKey(database, CENTER)
}

/** Opens the folder as a command does, while no service uses it. */
export const openFolder = (dataDir: string) =>
  openDatabase({ databaseUrl: undefined, databasePoolSize: 1, dataDir }, { purpose: 'command' })
