/** Creates a folder of the embedded database, complete and synced to disk before it gets its name. */
import { existsSync, renameSync, rmdirSync, rmSync } from 'node:fs'
import { open, readdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { openEmbedded } from '../embedded.ts'
import { migrate } from '../migrate.ts'
import { DiskSpace } from './disk-space.ts'
import { syncFolder } from './durable-files.ts'
import { keepTemplate, TEMPLATES, unpackTemplate } from './template.ts'

/**
 * Creates a database with this version's schema. If creation were interrupted, or the power failed soon after, the
 * folder would look like a database without being one. So the files are created next to it and the folder is renamed at
 * the end. The caller holds the lock (folder-lock.ts).
 * @param folder must not exist, or be empty
 * @throws {DiskFull}
 */
export async function makeFolder(folder: string, templates = TEMPLATES): Promise<void> {
  await requireSpace(folder)
  const draft = `${folder}.new`
  rmSync(draft, { recursive: true, force: true })
  if (!(await unpackTemplate(templates, draft))) {
    await makeDatabase(draft)
    keepTemplate(templates, draft)
  }
  await syncAll(draft)
  if (existsSync(folder)) rmdirSync(folder)
  renameSync(draft, folder)
  syncFolder(dirname(folder))
}

/** Uses an engine thread of its own, whose memory is freed when it ends. */
async function makeDatabase(folder: string): Promise<void> {
  const database = await openEmbedded({ folder, isNew: true })
  try {
    await migrate(database)
    // Nobody can connect to these databases. They take two thirds of the files, and prevent old transaction numbers
    // from being reused.
    await database.runScript("update pg_database set datistemplate = false where datname like 'template_'")
    await database.runScript('drop database template0')
    await database.runScript('drop database template1')
  } finally {
    await database.close()
  }
}

async function requireSpace(folder: string): Promise<void> {
  const space = new DiskSpace({ folder })
  try {
    await space.requireForOpening(true)
  } finally {
    space.stop()
    // The folder gets another name, and a reserve of its own.
    space.release()
  }
}

/** Syncs every file and folder, about a thousand; several at once, because each waits for the disk. */
export async function syncAll(folder: string): Promise<void> {
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
