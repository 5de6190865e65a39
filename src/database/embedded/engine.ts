/**
 * The database engine, independent of the thread that it runs in: PGlite, which is PostgreSQL compiled to WebAssembly.
 */
import { existsSync, openAsBlob, rmSync } from 'node:fs'
import { join } from 'node:path'
import { PGlite } from '@electric-sql/pglite'
import { DurableFiles } from './durable-files.ts'
import { EngineLog } from './engine-log.ts'
import { Messages } from './wire.ts'

export interface EngineOptions {
  /** The database's folder, whose lock the caller holds (folder-lock.ts); undefined for a database in memory. */
  readonly folder?: string | undefined
  /** Creates the database in the folder (new-folder.ts). */
  readonly isNew?: boolean | undefined
  /** A dump file that a database in memory starts from (tests start from a migrated one). */
  readonly from?: string | undefined
  /** Called with the reason, from within the engine's work, when it cannot continue. */
  readonly onFailure?: (reason: string) => void
}

/** PGlite's own parameters. On a disk, `-F` is left out, because it disables fsync. */
const IN_MEMORY = PGlite.defaultStartParams

const ON_DISK = [
  ...IN_MEMORY.filter((parameter) => parameter !== '-F'),
  // With fdatasync, PostgreSQL's default on Linux, nothing was ever synced: PGlite's C library implements it as a
  // no-op.
  '-c',
  'wal_sync_method=fsync',
  // PostgreSQL's default cache of 128 MB costs 110 MB and makes no read faster, because the operating system caches
  // these files too.
  '-c',
  'shared_buffers=16MB',
  // Log files retained for reuse after a checkpoint, in addition to what CHECKPOINT_BYTES allows.
  '-c',
  'min_wal_size=32MB',
  '-c',
  'max_wal_size=64MB',
]

/** Without it, creating a new folder takes 150 MB more. */
const INITDB = ['-c', 'shared_buffers=16MB']

/**
 * A PostgreSQL server has a process for checkpoints; here there is none. Without checkpoints, the log would grow until
 * the service ends, and all of it would be read after a crash. Reading 64 MB takes two seconds.
 */
const CHECKPOINT_BYTES = 64 * 1024 * 1024

const CHECKPOINT = new Messages().query('checkpoint').take()

/** The engine on a folder or in memory. All its work is synchronous. */
export class Engine {
  readonly #pglite: PGlite
  readonly #files: DurableFiles | undefined
  /** No checkpoint is written meanwhile, so that the log remains complete since the last one. */
  holdsCheckpoints = false

  private constructor(pglite: PGlite, files: DurableFiles | undefined) {
    this.#pglite = pglite
    this.#files = files
  }

  /** @throws with the database's own reason if there is one */
  static async open({ folder, isNew = false, from, onFailure }: EngineOptions): Promise<Engine> {
    const log = new EngineLog(onFailure)
    const shared = { onStderr: (line: string) => log.add(line) }
    if (folder === undefined) {
      const dump = from === undefined ? {} : { loadDataDir: await openAsBlob(from) }
      const memory = { startParams: IN_MEMORY, ...dump }
      return new Engine(await PGlite.create({ ...shared, ...memory }), undefined)
    }
    if (!isNew) {
      // PGlite would create a new database there.
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

  /** Sends protocol messages and returns a copy of the answer's bytes. */
  exchange(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
    const parts: Uint8Array<ArrayBuffer>[] = []
    // Synchronous except for its last step, which does nothing here.
    void this.#pglite.execProtocolRawStream(bytes, {
      syncToFs: false,
      // The part is a view of the engine's memory, which the next statement changes.
      onRawData: (part) => parts.push(part.slice() as Uint8Array<ArrayBuffer>),
    })
    return parts.length === 1 ? parts[0]! : joined(parts)
  }

  /** Writes a checkpoint if enough log was written since the last one. Called after an answer was sent. */
  afterwards(): void {
    if (this.holdsCheckpoints || this.#files === undefined || this.#files.logBytes < CHECKPOINT_BYTES) return
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
 * PostgreSQL refuses to start if its own pid file is empty, as after a power failure, or contains the number of any
 * live process. The lock that we hold replaces that check.
 */
function removeForeignPid(folder: string): void {
  rmSync(join(folder, 'postmaster.pid'), { force: true })
}
