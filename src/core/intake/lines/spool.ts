/**
 * Receives a body completely before the import takes a connection and its locks, so that a slow or stopped sender blocks
 * nobody. A small body is stored in memory, a larger one in an unnamed file.
 */
import { randomBytes } from 'node:crypto'
import { type FileHandle, mkdir, open, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { systemMessage } from '../../database/postgres/system-message.ts'
import { InputError } from '../input-error.ts'

const MEMORY_BYTES = 1024 * 1024
const READ_BYTES = 256 * 1024
/** Each chunk costs some hundred bytes however short it is, and a sender may split a megabyte into a million chunks. */
const CHUNKS_MAX = 256

/** Stores chunks, and returns them in the same order. */
export class Spool {
  readonly #folder: string
  #chunks: Buffer[] = []
  #length = 0
  /** A promise, so that closing while the file is being created also finds it. */
  #file: Promise<SpoolFile> | undefined

  constructor(folder: string) {
    this.#folder = folder
  }

  async add(chunk: Buffer): Promise<void> {
    this.#chunks.push(chunk)
    this.#length += chunk.length
    if (this.#chunks.length > CHUNKS_MAX) this.#chunks = [Buffer.concat(this.#chunks)]
    if (this.#length < MEMORY_BYTES) return
    try {
      this.#file ??= newFile(this.#folder)
      await (await this.#file).handle.appendFile(Buffer.concat(this.#chunks))
    } catch (error) {
      throw new InputError(
        `The service cannot keep the input in ${this.#folder}: ${systemMessage(error)}. Nothing was imported.`,
      )
    }
    this.#chunks = []
    this.#length = 0
  }

  async *read(): AsyncGenerator<Buffer> {
    if (this.#file !== undefined) {
      const options = { start: 0, autoClose: false, highWaterMark: READ_BYTES }
      const { handle } = await this.#file
      for await (const chunk of handle.createReadStream(options)) yield chunk
    }
    yield* this.#chunks
  }

  /** The same for another thread of this process, which reads the file by its descriptor. */
  async source(): Promise<SpoolSource> {
    return { fd: (await this.#file)?.handle.fd, rest: Buffer.concat(this.#chunks) }
  }

  async close(): Promise<void> {
    this.#chunks = []
    const file = await this.#file?.catch(() => undefined)
    this.#file = undefined
    if (file === undefined) return
    await file.handle.close()
    await rm(file.path, { force: true })
  }
}

/** What was stored: first the file, if there is one, then the rest. */
export interface SpoolSource {
  readonly fd: number | undefined
  readonly rest: Uint8Array
}

interface SpoolFile {
  readonly handle: FileHandle
  readonly path: string
}

async function newFile(folder: string): Promise<SpoolFile> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const path = join(folder, `${randomBytes(8).toString('hex')}.spool`)
  const handle = await open(path, 'wx+', 0o600)
  // Windows cannot delete an open file. Files left by a killed service are deleted at its next start.
  if (process.platform !== 'win32') await rm(path)
  return { handle, path }
}
