/** How the database engine itself is started: PGlite, which is PostgreSQL compiled to WebAssembly. */
import { existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { PGlite, type PGliteOptions } from '@electric-sql/pglite'
import { typeReaders } from '../types.ts'
import { DurableFiles } from './durable-files.ts'
import { makeFolder } from './new-folder.ts'

export interface EngineOptions {
  /** The folder; without it the database lives in memory. */
  readonly folder?: string
  /** A dump to begin from where the database is new (tests start from a migrated one). */
  readonly from?: Blob
}

/** PGlite's own, but for the first: what is not on a disk has nothing to sync. */
const IN_MEMORY = PGlite.defaultStartParams

// With fdatasync, PostgreSQL's choice on Linux, nothing was ever synced: the C library that PGlite is built with
// does nothing for it. The cache of 128 MB that PostgreSQL would have costs 110 MB and makes no read faster,
// because the system has these files in memory as well.
const ON_DISK = [
  ...IN_MEMORY.filter((parameter) => parameter !== '-F'),
  '-c',
  'wal_sync_method=fsync',
  '-c',
  'shared_buffers=16MB',
]

/** Opens the database, making its folder where it is new. The caller holds the lock (folder-lock.ts). */
export async function openEngine(options: EngineOptions): Promise<PGlite> {
  const { folder, from } = options
  if (folder === undefined) return start({ startParams: IN_MEMORY, ...(from && { loadDataDir: from }) })
  if (!existsSync(join(folder, 'PG_VERSION'))) await makeFolder(folder, from)
  removeForeignPid(folder)
  return start({ startParams: ON_DISK, fs: new DurableFiles(folder) })
}

function start(options: PGliteOptions): Promise<PGlite> {
  return PGlite.create({ parsers: Object.fromEntries(typeReaders), ...options })
}

/**
 * PostgreSQL refuses to start where this file of its own is empty, as a power cut leaves it, or names a process
 * that lives, as any number may. Ours is the lock that counts, and we hold it.
 */
function removeForeignPid(folder: string): void {
  rmSync(join(folder, 'postmaster.pid'), { force: true })
}
