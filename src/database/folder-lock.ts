/**
 * One owner of an embedded folder at a time. PGlite does not lock its folder, and two processes on one
 * destroy data without any error, so this lock is taken before PGlite opens it.
 *
 * The lock is the operating system's own file lock, held through SQLite (which is part of Node): it ends with
 * its process, however that ends, and it does not lie about an owner that is alive but blocked.
 */
import { closeSync, existsSync, mkdirSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

export interface FolderLock {
  release(): void
}

/** Somebody else has the folder. `pid` is undefined only in the instant before the owner has written it. */
export class FolderInUse extends Error {
  override readonly name = 'FolderInUse'
  readonly pid: number | undefined
  constructor(folder: string, pid: number | undefined) {
    super(`${ownerOf(pid)} is using the database folder ${folder}`)
    this.pid = pid
  }
}

/** The owner as the subject of a sentence. */
export const ownerOf = (pid: number | undefined) => (pid === undefined ? 'Another process' : `Process ${pid}`)

const PID_FILE = 'owner.pid'

/** Whether a process has the folder, or had it until it was killed; looking takes no lock. */
export const mayHaveOwner = (folder: string) => existsSync(join(folder, PID_FILE))

const SQLITE_BUSY = 5

/** Every lock that is held: one that nobody refers to any more would be collected, and with that released. */
const held = new Set<DatabaseSync>()

/**
 * Takes the lock of `folder`, creating the folder (readable by its owner only) where it does not exist.
 * @throws {FolderInUse} when a live process holds it; nothing in the folder is touched then.
 */
export function lockFolder(folder: string): FolderLock {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const pidFile = join(folder, PID_FILE)
  const lockFile = join(folder, 'owner.lock')
  // SQLite would make one that others may read.
  closeSync(openSync(lockFile, 'a', 0o600))
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
  writeFileSync(pidFile, `${process.pid}\n`, { mode: 0o600 })
  return {
    release() {
      rmSync(pidFile, { force: true })
      lock.close()
      held.delete(lock)
    },
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
