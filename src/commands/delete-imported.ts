/**
 * Deletes files of a watched folder that were imported: they contain personal data, which is in the database by then. Each
 * deletion is recorded by the digest of the file, which the log of imports has too.
 *
 * Never deleted is what was not imported: files in `failed/`, rejected records, files without a report of their import, and
 * files that were written to after it.
 */
import { createHash } from 'node:crypto'
import { constants } from 'node:fs'
import { lstat, open, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import type { DirectoryHandle } from '../core/files/directory-handle.ts'

export interface DeletedFiles {
  /** imported files that were deleted */
  readonly deleted: number
  /** older ones that stay, because they were written to after their import */
  readonly changed: number
  /** older ones in `failed/`, which were not imported */
  readonly notImported: number
}

export interface WhatToDelete {
  /** `done/` of the watched folder */
  readonly done: DirectoryHandle
  /** `failed/` */
  readonly failed: DirectoryHandle
  /** the folder of the record */
  readonly log: DirectoryHandle
  /** files that were imported before, epoch ms */
  readonly before: number
  /** epoch ms */
  readonly now: number
  /** stated in the record */
  readonly why: 'age' | 'request'
}

export const DELETED_LOG = 'deleted.ndjson'
const REPORT = '.report.txt'
/** How the watch names what it has moved: `20261122T114000123Z-guests.csv`. */
const MOVED = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)(\d{3})Z-/
/** Lines of the record, about 170 bytes each. The oldest are removed when there are a tenth more. */
const LINES_MAX = 10_000

/** @returns when the file with this name was imported, epoch ms; undefined for a name that the watch did not give */
function importedAt(name: string): number | undefined {
  const [, year, month, day, hour, minute, second, ms] = MOVED.exec(name) ?? []
  return year === undefined
    ? undefined
    : Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}.${ms}Z`)
}

/** Deletes, and records each file before it is deleted. @throws the system's error */
export async function deleteImported(what: WhatToDelete): Promise<DeletedFiles> {
  const { done, failed, before } = what
  const isOld = (name: string) => {
    const at = importedAt(name)
    return at !== undefined && at < before
  }
  const names = new Set(await readdir(done.path))
  let [deleted, changed] = [0, 0]
  for (const name of [...names].filter(isOld).sort()) {
    if (name.endsWith(REPORT)) {
      // Somebody removed its file.
      if (!names.has(name.slice(0, -REPORT.length))) await rm(done.at(name), { force: true })
      continue
    }
    if (!names.has(name + REPORT)) continue
    const [file, report] = [await lstat(done.at(name)), await lstat(done.at(name + REPORT))]
    if (!file.isFile() || !report.isFile()) continue
    // Its report is written when it is moved, and moving a file does not change when it was written to.
    if (file.mtimeMs > report.mtimeMs) {
      changed += 1
      continue
    }
    await note(what, name, await digestOf(done.at(name)))
    await rm(done.at(name))
    await rm(done.at(name + REPORT), { force: true })
    deleted += 1
  }
  const rest = (await readdir(failed.path)).filter((name) => !name.endsWith(REPORT) && isOld(name))
  await shorten(what.log.at(DELETED_LOG))
  return { deleted, changed, notImported: rest.length }
}

/** Never follows a link that takes the name of a file. */
async function digestOf(path: string): Promise<{ sha256: string; bytes: number }> {
  const flags = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0)
  const file = await open(path, flags)
  const hash = createHash('sha256')
  let bytes = 0
  for await (const chunk of file.createReadStream()) {
    hash.update(chunk)
    bytes += chunk.length
  }
  return { sha256: hash.digest('hex'), bytes }
}

/** The name of the file is not recorded, because it may be that of a guest. */
async function note(
  { log, now, why }: WhatToDelete,
  name: string,
  { sha256, bytes }: { sha256: string; bytes: number },
) {
  const imported = new Date(importedAt(name) ?? 0).toISOString()
  const line = JSON.stringify({
    deletedAt: new Date(now).toISOString(),
    why,
    importedAt: imported,
    sha256,
    bytes,
  })
  const path = log.at(DELETED_LOG)
  const flags = constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT | (constants.O_NOFOLLOW ?? 0)
  const file = await open(path, flags, 0o600)
  try {
    await file.writeFile(`${line}\n`)
    // It must be on the disk before its file is not.
    await file.sync()
  } finally {
    await file.close()
  }
}

async function shorten(path: string): Promise<void> {
  const found = await lstat(path).catch(() => undefined)
  if (!found?.isFile()) return
  const lines = (await readFile(path, 'utf8')).split('\n').filter((line) => line !== '')
  if (lines.length <= LINES_MAX * 1.1) return
  await rm(`${path}.tmp`, { force: true })
  await writeFile(`${path}.tmp`, `${lines.slice(-LINES_MAX).join('\n')}\n`, { mode: 0o600, flag: 'wx' })
  await rename(`${path}.tmp`, path)
}
