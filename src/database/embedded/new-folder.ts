/** A new folder of the embedded database: whole and on the disk before it has its name. */
import { existsSync, mkdirSync, openAsBlob, readdirSync, renameSync, rmdirSync, rmSync } from 'node:fs'
import { open, readdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { PGlite } from '@electric-sql/pglite'
import { syncFolder } from './durable-files.ts'

/**
 * PGlite copies a new database into its folder file by file. Cut off in the middle, or by a power cut a moment
 * later, that is a folder which looks like a database and is none; so it is made beside its place and renamed.
 * The caller holds the lock (folder-lock.ts).
 * @param from the file of a dump to begin from; without it the database is empty
 */
export async function makeFolder(folder: string, from?: string): Promise<void> {
  refuseOthers(folder)
  const draft = `${folder}.new`
  rmSync(draft, { recursive: true, force: true })
  mkdirSync(draft, { mode: 0o700 })
  const dump = from === undefined ? {} : { loadDataDir: await openAsBlob(from) }
  const pglite = await PGlite.create({ dataDir: draft, ...dump })
  await pglite.close()
  await syncAll(draft)
  if (existsSync(folder)) rmdirSync(folder)
  renameSync(draft, folder)
  syncFolder(dirname(folder))
}

function refuseOthers(folder: string): void {
  if (!existsSync(folder) || readdirSync(folder).length === 0) return
  throw new Error(`${folder} holds files and no database (it has no PG_VERSION); move them away`)
}

/** Every file and every folder: a thousand of them, several at once because each one waits for the disk. */
async function syncAll(folder: string): Promise<void> {
  const entries = await readdir(folder, { withFileTypes: true, recursive: true })
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
  const waiting = files.values()
  const syncer = async () => {
    for (const path of waiting) {
      const file = await open(path, 'r+')
      await file.sync().finally(() => file.close())
    }
  }
  await Promise.all(Array.from({ length: SYNCERS }, syncer))
  for (const entry of entries) {
    if (entry.isDirectory()) syncFolder(join(entry.parentPath, entry.name))
  }
  syncFolder(folder)
}

const SYNCERS = 4
