/**
 * What a command reads is received whole before it takes the database's one session, so that whoever sends it slowly,
 * or stops, keeps nobody waiting. A little is kept in memory, more in a file that no longer has a name.
 */
import { randomBytes } from 'node:crypto'
import { type FileHandle, mkdir, open, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { systemMessage } from '../database/system-message.ts'
import { InputError } from './input-error.ts'

const MEMORY_BYTES = 1024 * 1024
const READ_BYTES = 256 * 1024
/** A chunk takes some hundred bytes however short it is, and a sender may cut a megabyte into a million of them. */
const CHUNKS_MAX = 256

export class Spool {
  readonly #folder: string
  #chunks: Buffer[] = []
  #length = 0
  /** A promise, so that one that is closed while its file is being made finds it. */
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

  async close(): Promise<void> {
    this.#chunks = []
    const file = await this.#file?.catch(() => undefined)
    this.#file = undefined
    if (file === undefined) return
    await file.handle.close()
    await rm(file.path, { force: true })
  }
}

interface SpoolFile {
  readonly handle: FileHandle
  readonly path: string
}

async function newFile(folder: string): Promise<SpoolFile> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const path = join(folder, `${randomBytes(8).toString('hex')}.spool`)
  const handle = await open(path, 'wx+', 0o600)
  // Windows does not remove an open file; what a killed service leaves there goes when the next one starts.
  if (process.platform !== 'win32') await rm(path)
  return { handle, path }
}
