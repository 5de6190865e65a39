/** The files that a command line names. The service that runs the command may read and create these, and no others. */
import type { Files, NewFile } from '../../intake/files.ts'
import { InputError } from '../../intake/input-error.ts'
import { BYTES_MAX } from './frames.ts'
import type { ClientRequest } from './requests.ts'

type FileRequest = Extract<ClientRequest, { file: string }>

const NOTHING = Buffer.alloc(0)

export class GrantedFiles {
  readonly #files: Files
  readonly #read: ReadonlySet<string>
  readonly #write: ReadonlySet<string>
  readonly #open = new Map<string, AsyncGenerator<Buffer>>()
  /** Includes files that are still being created, so that `close` finds them. */
  readonly #made = new Map<string, Promise<NewFile>>()

  constructor(files: Files, grants: { read?: readonly string[]; write?: readonly string[] }) {
    this.#files = files
    this.#read = new Set(grants.read)
    this.#write = new Set(grants.write)
  }

  async answer({ op, file }: FileRequest, bytes: Buffer): Promise<Buffer> {
    const granted = op === 'read' ? this.#read : this.#write
    if (!granted.has(file)) throw new InputError(`${file} is not among the files of this command`)
    switch (op) {
      case 'read': {
        const open = this.#open.get(file) ?? pieces(await this.#files.open(file))
        this.#open.set(file, open)
        const next = await open.next()
        if (!next.done) return next.value
        // A command line may name the same file twice.
        this.#open.delete(file)
        return NOTHING
      }
      case 'create': {
        const made = this.#files.create(file)
        this.#made.set(file, made)
        made.catch(() => this.#made.delete(file))
        await made
        return NOTHING
      }
      case 'append':
        await (await this.#made.get(file))?.write(bytes)
        return NOTHING
      case 'keep':
      case 'discard': {
        const made = await this.#made.get(file)
        this.#made.delete(file)
        await made?.[op]()
        return NOTHING
      }
    }
  }

  /** Removes files that were begun and not retained. */
  async close(): Promise<void> {
    const made = await Promise.allSettled(this.#made.values())
    this.#made.clear()
    for (const file of made) if (file.status === 'fulfilled') await file.value.discard()
  }
}

/** Pieces that each fit into a message. None is empty, because an empty piece means the end. */
async function* pieces(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  for await (const chunk of chunks) {
    for (let at = 0; at < chunk.length; at += BYTES_MAX) yield chunk.subarray(at, at + BYTES_MAX)
  }
}
