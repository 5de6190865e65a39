/** The files that a command's arguments name, and standard input: read and made by whoever typed them. */
import { randomBytes } from 'node:crypto'
import { type FileHandle, open, rename, rm, stat } from 'node:fs/promises'
import { systemMessage } from '../database/system-message.ts'
import { visible } from '../errors/visible.ts'
import { InputError } from './input-error.ts'
import { readFileBytes } from './read-bytes.ts'

/** What standard input is called, on the command line and in problems. */
export const STDIN = '-'

export interface Files {
  /**
   * A file's bytes, or those of standard input (`-`).
   * @throws {InputError} where there is no such file or it is a folder
   */
  open(path: string): Promise<AsyncIterable<Buffer>>
  /** A new file, in place of one that is there. Only its owner may read it: it holds guests' data. */
  create(path: string): Promise<NewFile>
}

export interface NewFile {
  write(content: string | Uint8Array): Promise<void>
  /** Ends the file, which stays. */
  keep(): Promise<void>
  /** Takes the file away again. */
  discard(): Promise<void>
}

/** The files of this process's user. */
export function localFiles(stdin: AsyncIterable<Buffer>): Files {
  return {
    async open(path) {
      if (path === STDIN) return stdin
      const found = await stat(path).catch(() => undefined)
      if (found === undefined) throw new InputError(`${visible(path)}: there is no such file`)
      if (found.isDirectory()) throw new InputError(`${visible(path)} is a folder; name the files in it`)
      return readFileBytes(path)
    },

    async create(path) {
      const found = await stat(path).catch(() => undefined)
      if (found?.isFile() === false) throw new InputError(`${visible(path)} is no file; name one to write`)
      // Neither the permissions of a file nor a link there are taken over, and what is there stays until the new one is whole.
      const draft = `${path}.${randomBytes(4).toString('hex')}.part`
      return new LocalFile(path, draft, await writing(path, open(draft, 'wx', 0o600)))
    },
  }
}

class LocalFile implements NewFile {
  readonly #path: string
  readonly #draft: string
  readonly #handle: FileHandle

  constructor(path: string, draft: string, handle: FileHandle) {
    this.#path = path
    this.#draft = draft
    this.#handle = handle
  }

  write(content: string | Uint8Array): Promise<void> {
    // One that ends after all is written, where `write` may end before.
    return writing(this.#path, this.#handle.appendFile(content))
  }

  async keep(): Promise<void> {
    await writing(this.#path, this.#handle.sync())
    await this.#handle.close()
    await writing(this.#path, rename(this.#draft, this.#path))
  }

  async discard(): Promise<void> {
    await this.#handle.close()
    await rm(this.#draft, { force: true })
  }
}

async function writing<T>(path: string, work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    throw new InputError(`${visible(path)} cannot be written: ${systemMessage(error)}`)
  }
}
