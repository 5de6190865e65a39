/**
 * The space on the disk that the embedded database writes to. PostgreSQL ends when its log cannot go on, so nothing
 * new is written while there is too little for that, and who wants to write is told so in time.
 *
 * Where space is getting scarce some of it is kept in a file of our own: given back, it lets an engine that has
 * ended all the same be opened again, and be read.
 */
import { randomBytes } from 'node:crypto'
import { rmSync, statSync } from 'node:fs'
import { open, statfs } from 'node:fs/promises'
import { dirname } from 'node:path'
import { DiskFull } from '../database.ts'

const MB = 1024 * 1024

/** The next file of its log, of 16 MB, and what of its cache is not in the tables' files yet; twice. */
const WRITING_BYTES = 64 * MB
/** As much as the end of a recovery takes. */
const RESERVE_BYTES = 32 * MB
/** A new folder, with its first log. */
const NEW_FOLDER_BYTES = 128 * MB
/** Below this a reserve is kept. */
const SCARCE_BYTES = 1024 * MB
/** While nobody writes; and within a transaction, which at 50 MB a second writes less than WRITING_BYTES between two. */
const WATCH_MS = 5000
const RECHECK_MS = 500

export interface DiskSpaceOptions {
  /** The database's folder; the reserve stands beside it. */
  readonly folder: string
  /** How many bytes may still be written there: the operating system is asked unless a test says it. */
  readonly freeBytes?: (() => number | Promise<number>) | undefined
  /** milliseconds of a clock that nobody sets */
  readonly now?: (() => number) | undefined
  /** Told when nothing can be written any more, and when it can again. */
  readonly onChange?: ((sentence: string) => void) | undefined
}

export class DiskSpace {
  readonly #place: string
  readonly #reserve: string
  readonly #freeBytes: () => number | Promise<number>
  readonly #now: () => number
  readonly #onChange: (sentence: string) => void
  readonly #watch: NodeJS.Timeout
  #checked = Number.NEGATIVE_INFINITY
  #isFull = false
  /** what is free beside the reserve */
  #free = 0

  constructor({ folder, freeBytes, now, onChange }: DiskSpaceOptions) {
    this.#place = dirname(folder)
    this.#reserve = `${folder}.reserve`
    this.#freeBytes = freeBytes ?? (() => freeBytesOf(this.#place))
    this.#now = now ?? (() => performance.now())
    this.#onChange = onChange ?? (() => {})
    this.#watch = setInterval(() => void this.#check(), WATCH_MS).unref()
  }

  /** @throws {DiskFull} where the database could not be opened */
  async requireForOpening(isNew = false): Promise<void> {
    await this.#check()
    if (isNew && this.#free < NEW_FOLDER_BYTES) throw this.#tooLittle(NEW_FOLDER_BYTES)
    // After a crash it may need a new file for its log. What is kept for that is there for this.
    if (this.#free < RESERVE_BYTES) this.release()
    await this.#check()
    if (this.#free < RESERVE_BYTES) throw this.#tooLittle(RESERVE_BYTES)
  }

  /** Before a transaction and, again and again, within it. @throws {DiskFull} */
  async requireForWriting(): Promise<void> {
    if (this.#isFull || this.#now() - this.#checked >= RECHECK_MS) await this.#check()
    if (this.#isFull) throw this.fullError()
  }

  fullError(): DiskFull {
    return this.#tooLittle(WRITING_BYTES)
  }

  /** Gives the reserve back to the disk. Nothing is written from then on until there is space for a new one. */
  release(): void {
    rmSync(this.#reserve, { force: true })
  }

  stop(): void {
    clearInterval(this.#watch)
  }

  async #check(): Promise<void> {
    this.#free = await this.#freeBytes()
    this.#checked = this.#now()
    let isKept = sizeOf(this.#reserve) === RESERVE_BYTES
    if (!isKept && this.#free < SCARCE_BYTES && this.#free >= WRITING_BYTES + RESERVE_BYTES) {
      isKept = await this.#keep()
      if (isKept) this.#free -= RESERVE_BYTES
    }
    const isFull = this.#free < WRITING_BYTES || (this.#free < SCARCE_BYTES && !isKept)
    if (isFull === this.#isFull) return
    this.#isFull = isFull
    this.#onChange(
      isFull
        ? this.fullError().message
        : `${this.#place} has space again, and the embedded database writes again.`,
    )
  }

  /** In bytes that no file system makes smaller. */
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

async function freeBytesOf(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder)
  return bavail * bsize
}

function sizeOf(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0
}
