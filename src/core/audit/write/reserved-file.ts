/**
 * Space for waiting reads that is taken before it is needed, so that a full disk still takes some of them. What is
 * written replaces bytes of the file in place: on file systems such as ext4 and XFS that needs no new space, and nobody
 * else can take it.
 */
import { closeSync, openSync, writeSync } from 'node:fs'

/** The disk takes no more waiting reads. */
export class NoRoom extends Error {
  override readonly name = 'NoRoom'
}

export class ReservedFile {
  readonly #descriptor: number
  readonly #bytes: number
  #used = 0

  /** @throws if there is no space for all of it, or it exists */
  constructor(path: string, bytes: number) {
    this.#bytes = bytes
    this.#descriptor = openSync(path, 'wx', 0o600)
    try {
      this.#blank(bytes)
    } catch (error) {
      closeSync(this.#descriptor)
      throw error
    }
  }

  /**
   * Adds a text behind the others. It begins with a line break, because a text before it may have been cut off.
   * @returns whether more may be promised room: the second half is for what was answered in the meantime
   * @throws {NoRoom}
   */
  write(text: string): boolean {
    const bytes = Buffer.from(`\n${text}`)
    if (this.#used + bytes.length > this.#bytes) throw new NoRoom('the reserve is full')
    const at = this.#used
    this.#used += bytes.length
    this.#put(bytes, at)
    return this.#used <= this.#bytes / 2
  }

  /** Makes it empty, and keeps its space. */
  clear(): void {
    this.#blank(this.#used)
    this.#used = 0
  }

  close(): void {
    closeSync(this.#descriptor)
  }

  /** Blanks in one line, which are quick to read. */
  #blank(bytes: number): void {
    const blanks = Buffer.alloc(Math.min(bytes, PIECE_BYTES), ' ')
    for (let at = 0; at < bytes; at += PIECE_BYTES) this.#put(blanks.subarray(0, bytes - at), at)
  }

  #put(bytes: Buffer, at: number): void {
    for (let put = 0; put < bytes.length; ) {
      put += writeSync(this.#descriptor, bytes, put, bytes.length - put, at + put)
    }
  }
}

const PIECE_BYTES = 1024 * 1024
