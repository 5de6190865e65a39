/**
 * Ensures that a folder has one owner at a time. It is a file lock of the operating system, held through SQLite, which is part of
 * Node. It ends when its process ends, however that happens, and remains while the owner is alive but blocked.
 */
import { closeSync, constants, mkdirSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { isNoSpace } from './no-space.ts'

export interface FolderLock {
  release(): void
}

/** Another process owns the folder. `pid` is undefined only in the moment before the owner has written it. */
export class FolderInUse extends Error {
  override readonly name = 'FolderInUse'
  readonly pid: number | undefined
  constructor(folder: string, pid: number | undefined) {
    super(`${ownerOf(pid)} is using the folder ${folder}`)
    this.pid = pid
  }
}

/** The owner as the subject of a sentence. */
export const ownerOf = (pid: number | undefined) => (pid === undefined ? 'Another process' : `Process ${pid}`)

const PID_FILE = 'owner.pid'

const SQLITE_BUSY = 5

/** Others may write into a watched folder, and must not direct what is written to another file. Windows has no such flag. */
const NO_LINK = constants.O_NOFOLLOW ?? 0
const APPENDED = constants.O_WRONLY | constants.O_CREAT | constants.O_APPEND
const REPLACED = constants.O_WRONLY | constants.O_CREAT | constants.O_TRUNC

/** All held locks. Without a reference, a lock would be garbage-collected and thereby released. */
const held = new Set<DatabaseSync>()

/**
 * Locks `folder`. Creates the folder, readable only by its owner, if it does not exist.
 * @throws {FolderInUse} if a live process holds the lock; nothing in the folder is changed then
 */
export function lockFolder(folder: string): FolderLock {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const pidFile = join(folder, PID_FILE)
  const lockFile = join(folder, 'owner.lock')
  // SQLite would create it readable by others.
  closeSync(openSync(lockFile, APPENDED | NO_LINK, 0o600))
  const lock = new DatabaseSync(lockFile)
  try {
    lock.exec('pragma busy_timeout = 0; pragma journal_mode = memory; begin exclusive')
  } catch (error) {
    lock.close()
    if (error instanceof Error && 'errcode' in error && error.errcode === SQLITE_BUSY) {
      throw new FolderInUse(folder, readPid(pidFile))
    }
    throw error
  }
  held.add(lock)
  tellOwner(pidFile)
  return {
    release() {
      try {
        rmSync(pidFile, { force: true })
      } catch {
        // The folder cannot be entered any more. The file remains as after a kill, and what the caller has to say matters
        // more.
      }
      lock.close()
      held.delete(lock)
    },
  }
}

/** For the messages of others, so a full disk keeps nobody out. */
function tellOwner(file: string): void {
  const written = openSync(file, REPLACED | NO_LINK, 0o600)
  try {
    writeFileSync(written, `${process.pid}\n`)
  } catch (error) {
    if (!isNoSpace(error)) throw error
  } finally {
    closeSync(written)
  }
}

function readPid(file: string): number | undefined {
  try {
    const pid = Number(readFileSync(file, 'utf8'))
    return Number.isInteger(pid) && pid > 0 ? pid : undefined
  } catch {
    return undefined
  }
}
