/**
 * Watches the free space on the disk of the embedded database, and whether its folder is there. PostgreSQL stops when it
 * cannot extend its log, so writes are refused before space is too low for that.
 *
 * When space becomes scarce, some of it is retained in a reserve file. If the engine stops nevertheless, releasing the
 * reserve lets it open again and be read. The reserve also takes what must be possible on a full disk: taking access away.
 */
import { randomBytes } from 'node:crypto'
import { existsSync, rmSync, statSync } from 'node:fs'
import { open, statfs } from 'node:fs/promises'
import { dirname } from 'node:path'
import { DiskFull, FolderGone } from '../database.ts'

const MB = 1024 * 1024

/** Twice the next file of its log, of 16 MB, plus the part of its cache that is not in the tables' files yet. */
export const WRITING_BYTES = 64 * MB
/** As much as the end of a recovery needs. */
export const RESERVE_BYTES = 32 * MB
/** The next file of its log, and the pages of a few rows. */
const FEW_ROWS_BYTES = 20 * MB
/** A new folder with its first log. */
const NEW_FOLDER_BYTES = 128 * MB
/** Below this a reserve is retained. */
export const SCARCE_BYTES = 1024 * MB
/**
 * In ms: between writes, and within a transaction, which at 50 MB a second writes less than WRITING_BYTES in one
 * interval.
 */
const WATCH_MS = 5000
const RECHECK_MS = 500

export interface DiskSpaceOptions {
  /** The database's folder. The reserve file is next to it. */
  readonly folder: string
  /** Bytes that may still be written there; the default asks the operating system. Tests replace it. */
  readonly freeBytes?: (() => number | Promise<number>) | undefined
  /** milliseconds of a monotonic clock */
  readonly now?: (() => number) | undefined
  /** Called when writes become impossible, and when they are possible again. */
  readonly onChange?: ((sentence: string) => void) | undefined
}

/** Measures the free space and keeps the reserve. */
export class DiskSpace {
  readonly #folder: string
  readonly #place: string
  readonly #reserve: string
  readonly #freeBytes: () => number | Promise<number>
  readonly #now: () => number
  readonly #onChange: (sentence: string) => void
  readonly #watch: NodeJS.Timeout
  #checked = Number.NEGATIVE_INFINITY
  #isFull = false
  #wasThere = false
  /** free bytes besides the reserve */
  #free = 0

  constructor({ folder, freeBytes, now, onChange }: DiskSpaceOptions) {
    this.#folder = folder
    this.#place = dirname(folder)
    this.#reserve = `${folder}.reserve`
    this.#freeBytes = freeBytes ?? (() => freeBytesOf(this.#place))
    this.#now = now ?? (() => performance.now())
    this.#onChange = onChange ?? (() => {})
    // A rejection ends the process (main.ts).
    this.#watch = setInterval(() => void this.#check(), WATCH_MS).unref()
  }

  /** @throws {DiskFull} if there is too little space to open the database @throws {FolderGone} */
  async requireForOpening(isNew = false): Promise<void> {
    await this.#check()
    if (isNew && this.#free < NEW_FOLDER_BYTES) throw this.#tooLittle(NEW_FOLDER_BYTES)
    // After a crash the database may need a new log file. The reserve is meant for this.
    if (this.#free < RESERVE_BYTES) this.release()
    await this.#check()
    if (this.#free < RESERVE_BYTES) throw this.#tooLittle(RESERVE_BYTES)
  }

  /** Called before a transaction and repeatedly within it. @throws {DiskFull} @throws {FolderGone} */
  async requireForWriting(): Promise<void> {
    if (this.#isFull || this.#now() - this.#checked >= RECHECK_MS) await this.#check()
    if (this.#isFull) throw this.fullError()
  }

  /**
   * Called before a transaction of a few rows that must not wait for space. If there is too little, the reserve is released;
   * other writes are refused until there is space for a new one. @throws {DiskFull}
   */
  async requireForFewRows(): Promise<void> {
    await this.#check()
    if (this.#free < FEW_ROWS_BYTES) this.release()
    await this.#check()
    if (this.#free < FEW_ROWS_BYTES) throw this.#tooLittle(FEW_ROWS_BYTES)
  }

  fullError(): DiskFull {
    return this.#tooLittle(WRITING_BYTES)
  }

  /** The error for a write that found no space, which its own undoing may have given back since. */
  async ranOutError(): Promise<DiskFull> {
    await this.#check()
    return this.#isFull
      ? this.fullError()
      : new DiskFull(
          `The disk of ${this.#place} was full for a moment, so nothing of this was written; try it again when there is more space.`,
        )
  }

  /** Deletes the reserve. Writes are then refused until there is space for a new one. */
  release(): void {
    rmSync(this.#reserve, { force: true })
  }

  stop(): void {
    clearInterval(this.#watch)
  }

  async #check(): Promise<void> {
    const isThere = existsSync(this.#folder)
    if (this.#wasThere && !isThere) throw new FolderGone(this.#place)
    this.#wasThere = isThere
    this.#free = await this.#freeBytes()
    this.#checked = this.#now()
    let isReserved = sizeOf(this.#reserve) === RESERVE_BYTES
    if (!isReserved && this.#free < SCARCE_BYTES && this.#free >= WRITING_BYTES + RESERVE_BYTES) {
      isReserved = await this.#keep()
      if (isReserved) this.#free -= RESERVE_BYTES
    }
    const isFull = this.#free < WRITING_BYTES || (this.#free < SCARCE_BYTES && !isReserved)
    if (isFull === this.#isFull) return
    this.#isFull = isFull
    this.#onChange(
      isFull
        ? this.fullError().message
        : `${this.#place} has space again, and the embedded database writes again.`,
    )
  }

  /** Written with random bytes, which no file system can compress. */
  async #keep(): Promise<boolean> {
    try {
      const file = await open(this.#reserve, 'w', 0o600)
      try {
        for (let written = 0; written < RESERVE_BYTES; written += MB) await file.write(randomBytes(MB))
        await file.sync()
      } finally {
        await file.close()
      }
      return true
    } catch {
      this.release()
      return false
    }
  }

  #tooLittle(needed: number): DiskFull {
    const free = Math.floor(this.#free / MB)
    return new DiskFull(
      `The disk of ${this.#place} is full (${free} MB are free, the embedded database needs ${needed / MB}); nothing is written until there is space.`,
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
