/** A new folder of the embedded database: whole and on the disk before it has its name. */
import { existsSync, renameSync, rmdirSync, rmSync } from 'node:fs'
import { open, readdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { openEmbedded } from '../embedded.ts'
import { migrate } from '../migrate.ts'
import { DiskSpace } from './disk-space.ts'
import { syncFolder } from './durable-files.ts'
import { keepTemplate, TEMPLATES, unpackTemplate } from './template.ts'

/**
 * Makes a database with this version's schema. Cut off in the middle, or by a power cut a moment later, its files would
 * be a folder that looks like a database and is none; so they are made beside their place and renamed.
 * The caller holds the lock (folder-lock.ts).
 * @param folder is not there, or empty
 * @throws {DiskFull}
 */
export async function makeFolder(folder: string, templates = TEMPLATES): Promise<void> {
  await requireSpace(folder)
  const draft = `${folder}.new`
  rmSync(draft, { recursive: true, force: true })
  if (!unpackTemplate(templates, draft)) {
    await makeDatabase(draft)
    keepTemplate(templates, draft)
  }
  await syncAll(draft)
  if (existsSync(folder)) rmdirSync(folder)
  renameSync(draft, folder)
  syncFolder(dirname(folder))
}

/** In a thread of its own, which takes the memory that this costs with it. */
async function makeDatabase(folder: string): Promise<void> {
  const database = await openEmbedded({ folder, isNew: true })
  try {
    await migrate(database)
    // Nobody can connect to these: two thirds of the files, and in the way of who wants to use old transaction numbers again.
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
  }
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
