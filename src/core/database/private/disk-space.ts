/**
 * The free space of the disk with the private server. A server that cannot extend its log ends, and cannot start again before there
 * is space for it. So writes are refused before space is too low for that.
 *
 * When space becomes scarce, some of it is retained in a reserve file. If the server ends nevertheless, because something else has
 * filled the disk, releasing the reserve lets it start again and be read. The reserve also takes what must be possible on a full
 * disk: taking access away.
 */
import { randomBytes } from 'node:crypto'
import { rmSync, statSync } from 'node:fs'
import { open, statfs } from 'node:fs/promises'
import { dirname } from 'node:path'
import { type Database, DiskFull, type Queryable, sqlState } from '../database.ts'

const MB = 1024 * 1024

/** Twice the next file of the log, of 16 MB, and the part of the server's cache that is not in the tables' files yet. */
const WRITING_BYTES = 64 * MB
/** As much as the end of a recovery needs. */
const RESERVE_BYTES = 32 * MB
/** The next file of the log, and the pages of a few rows. */
const FEW_ROWS_BYTES = 20 * MB
/** Below this a reserve is retained. */
const SCARCE_BYTES = 1024 * MB
/** In ms, also within a transaction: at 50 MB a second it writes less than WRITING_BYTES in one interval. */
const RECHECK_MS = 500
/** SQLSTATE of a write for which there was no space */
const DISK_FULL = '53100'
/** Statements that may need space; all others only read. */
const WRITES = /\b(?:insert|update|delete|merge|truncate|create|alter|drop|copy)\b/i

type FreeBytes = (folder: string) => number | Promise<number>

export interface DiskSpaceOptions {
  /** the folder of the cluster; the reserve file is next to it */
  readonly cluster: string
  /** Bytes that may still be written there; the default asks the operating system. Tests replace it. */
  readonly freeBytes?: FreeBytes | undefined
  /** milliseconds of a monotonic clock */
  readonly now?: (() => number) | undefined
  /** Called when writes become impossible, and when they are possible again. */
  readonly onChange?: ((sentence: string) => void) | undefined
}

const reserveOf = (cluster: string): string => `${cluster}.reserve`

/** Writes are then refused until there is space for a new one. */
function releaseReserve(cluster: string): void {
  rmSync(reserveOf(cluster), { force: true })
}

/** Releases the reserve if a server that starts may need it. @param freeBytes tests replace it */
export async function makeRoom(cluster: string, freeBytes: FreeBytes = freeBytesOf): Promise<void> {
  if ((await freeBytes(cluster)) < RESERVE_BYTES) releaseReserve(cluster)
}

/** Measures the free space and keeps the reserve. */
export class DiskSpace {
  readonly #cluster: string
  readonly #freeBytes: FreeBytes
  readonly #now: () => number
  readonly #onChange: (sentence: string) => void
  #checked = Number.NEGATIVE_INFINITY
  #isFull = false
  /** free bytes besides the reserve */
  #free = 0

  constructor({ cluster, freeBytes, now, onChange }: DiskSpaceOptions) {
    this.#cluster = cluster
    this.#freeBytes = freeBytes ?? freeBytesOf
    this.#now = now ?? (() => performance.now())
    this.#onChange = onChange ?? (() => {})
  }

  /** The database, whose transactions are refused where there is no space for them. */
  guard(database: Database): Database {
    return {
      ...database,
      transaction: async (work, options) => {
        if (options?.space === 'reserve') {
          await this.#requireForFewRows()
          return database.transaction(work, options)
        }
        try {
          return await database.transaction((tx) => work(this.#guarded(tx)), options)
        } catch (error) {
          throw sqlState(error) === DISK_FULL ? await this.#ranOut() : error
        }
      },
    }
  }

  #guarded(tx: Queryable): Queryable {
    return {
      query: async (statement) => {
        if (WRITES.test(statement.text)) await this.#requireForWriting()
        return tx.query(statement)
      },
    }
  }

  async #requireForWriting(): Promise<void> {
    if (this.#isFull || this.#now() - this.#checked >= RECHECK_MS) await this.#check()
    if (this.#isFull) throw this.#tooLittle(WRITING_BYTES)
  }

  /**
   * For a transaction of a few rows that must not wait for space. If there is too little, the reserve is released; other writes are
   * refused until there is space for a new one.
   */
  async #requireForFewRows(): Promise<void> {
    await this.#check()
    if (this.#free < FEW_ROWS_BYTES) releaseReserve(this.#cluster)
    await this.#check()
    if (this.#free < FEW_ROWS_BYTES) throw this.#tooLittle(FEW_ROWS_BYTES)
  }

  /** The error for a write that found no space, which its own undoing may have given back since. */
  async #ranOut(): Promise<DiskFull> {
    await this.#check()
    return this.#isFull
      ? this.#tooLittle(WRITING_BYTES)
      : new DiskFull(
          `The disk of ${dirname(this.#cluster)} was full for a moment, so nothing of this was written; try it again when there is more space.`,
        )
  }

  async #check(): Promise<void> {
    this.#free = await this.#freeBytes(this.#cluster)
    this.#checked = this.#now()
    let isReserved = sizeOf(reserveOf(this.#cluster)) === RESERVE_BYTES
    if (!isReserved && this.#free < SCARCE_BYTES && this.#free >= WRITING_BYTES + RESERVE_BYTES) {
      isReserved = await this.#keep()
      if (isReserved) this.#free -= RESERVE_BYTES
    }
    const isFull = this.#free < WRITING_BYTES || (this.#free < SCARCE_BYTES && !isReserved)
    if (isFull === this.#isFull) return
    this.#isFull = isFull
    this.#onChange(
      isFull
        ? this.#tooLittle(WRITING_BYTES).message
        : `${dirname(this.#cluster)} has space again, and the database is written again.`,
    )
  }

  /** Written with random bytes, which no file system can compress. */
  async #keep(): Promise<boolean> {
    try {
      const file = await open(reserveOf(this.#cluster), 'w', 0o600)
      try {
        for (let written = 0; written < RESERVE_BYTES; written += MB) await file.write(randomBytes(MB))
        await file.sync()
      } finally {
        await file.close()
      }
      return true
    } catch {
      releaseReserve(this.#cluster)
      return false
    }
  }

  #tooLittle(needed: number): DiskFull {
    const free = Math.floor(this.#free / MB)
    return new DiskFull(
      `The disk of ${dirname(this.#cluster)} is full (${free} MB are free, the database needs ${needed / MB}); nothing is written until there is space.`,
    )
  }
}

/** Bytes that a user without privileges may still write to the file system of a folder. */
export async function freeBytesOf(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder)
  return bavail * bsize
}

function sizeOf(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0
}
