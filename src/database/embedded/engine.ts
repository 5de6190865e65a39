/** The database engine itself, in whichever thread this is: PGlite, which is PostgreSQL compiled to WebAssembly. */
import { existsSync, openAsBlob, rmSync } from 'node:fs'
import { join } from 'node:path'
import { PGlite } from '@electric-sql/pglite'
import { DurableFiles } from './durable-files.ts'
import { EngineLog } from './engine-log.ts'
import { Messages } from './wire.ts'

export interface EngineOptions {
  /** The folder, whose lock the caller holds (folder-lock.ts); without it the database lives in memory. */
  readonly folder?: string | undefined
  /** Makes the database in the folder (new-folder.ts). */
  readonly isNew?: boolean | undefined
  /** The file of a dump that one in memory begins from (tests start from a migrated one). */
  readonly from?: string | undefined
  /** Told, from within whatever the engine does just then, that it can do nothing more, and why. */
  readonly onFailure?: (reason: string) => void
}

/** PGlite's own, but for the first: what is not on a disk has nothing to sync. */
const IN_MEMORY = PGlite.defaultStartParams

const ON_DISK = [
  ...IN_MEMORY.filter((parameter) => parameter !== '-F'),
  // With fdatasync, PostgreSQL's choice on Linux, nothing was ever synced: the C library that PGlite is built with
  // does nothing for it.
  '-c',
  'wal_sync_method=fsync',
  // The cache of 128 MB that PostgreSQL would have costs 110 MB and makes no read faster, because the system has
  // these files in memory as well.
  '-c',
  'shared_buffers=16MB',
  // So much log is kept for use again after a checkpoint, beside what CHECKPOINT_BYTES allows.
  '-c',
  'min_wal_size=32MB',
  '-c',
  'max_wal_size=64MB',
]

/** Without it, making a new folder takes 150 MB more. */
const INITDB = ['-c', 'shared_buffers=16MB']

/**
 * A server has a process that writes checkpoints; here nobody does, so the log would grow until the service ends,
 * and be read as a whole after a crash. 64 MB are read in two seconds.
 */
const CHECKPOINT_BYTES = 64 * 1024 * 1024

const CHECKPOINT = new Messages().query('checkpoint').take()

export class Engine {
  readonly #pglite: PGlite
  readonly #files: DurableFiles | undefined

  private constructor(pglite: PGlite, files: DurableFiles | undefined) {
    this.#pglite = pglite
    this.#files = files
  }

  /** @throws with the database's own reason, where it gives one */
  static async open({ folder, isNew = false, from, onFailure }: EngineOptions): Promise<Engine> {
    const log = new EngineLog(onFailure)
    const shared = { onStderr: (line: string) => log.add(line) }
    if (folder === undefined) {
      const dump = from === undefined ? {} : { loadDataDir: await openAsBlob(from) }
      const memory = { startParams: IN_MEMORY, ...dump }
      return new Engine(await PGlite.create({ ...shared, ...memory }), undefined)
    }
    if (!isNew) {
      // PGlite would make a new database there.
      if (!existsSync(join(folder, 'PG_VERSION')))
        throw new Error(`${folder} is not a database (it has no PG_VERSION)`)
      removeForeignPid(folder)
    }
    const files = new DurableFiles(folder)
    try {
      return new Engine(
        await PGlite.create({ ...shared, startParams: ON_DISK, initDbStartParams: INITDB, fs: files }),
        files,
      )
    } catch (error) {
      throw log.reason === undefined ? error : new Error(log.reason, { cause: error })
    }
  }

  /** Sends messages of PostgreSQL's protocol and gives the bytes of the answer, in memory of their own. */
  exchange(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
    const parts: Uint8Array<ArrayBuffer>[] = []
    // Synchronous but for its last step, which has nothing to do here.
    void this.#pglite.execProtocolRawStream(bytes, {
      syncToFs: false,
      // A view of the engine's own memory, which the next statement changes.
      onRawData: (part) => parts.push(part.slice() as Uint8Array<ArrayBuffer>),
    })
    return parts.length === 1 ? parts[0]! : joined(parts)
  }

  /** Writes a checkpoint where enough has been written since the last one; for the time after an answer. */
  afterwards(): void {
    if (this.#files === undefined || this.#files.logBytes < CHECKPOINT_BYTES) return
    this.#files.logBytes = 0
    this.exchange(CHECKPOINT)
  }

  close(): Promise<void> {
    return this.#pglite.close()
  }
}

function joined(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const all = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0))
  let at = 0
  for (const part of parts) {
    all.set(part, at)
    at += part.length
  }
  return all
}

/**
 * PostgreSQL refuses to start where this file of its own is empty, as a power cut leaves it, or names a process
 * that lives, as any number may. Ours is the lock that counts, and we hold it.
 */
function removeForeignPid(folder: string): void {
  rmSync(join(folder, 'postmaster.pid'), { force: true })
}
