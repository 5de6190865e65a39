/** The files that a command's arguments name, and standard input: read and made by whoever typed them. */
import { type FileHandle, open, rm, stat } from 'node:fs/promises'
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
      if (found === undefined) throw new InputError(`${path}: there is no such file`)
      if (found.isDirectory()) throw new InputError(`${path} is a folder; name the files in it`)
      return readFileBytes(path)
    },

    async create(path) {
      // Made anew, so that neither another's permissions nor a link there are taken over.
      await rm(path, { force: true })
      return new LocalFile(path, await open(path, 'wx', 0o600))
    },
  }
}

class LocalFile implements NewFile {
  readonly #path: string
  readonly #handle: FileHandle

  constructor(path: string, handle: FileHandle) {
    this.#path = path
    this.#handle = handle
  }

  async write(content: string | Uint8Array): Promise<void> {
    // One that ends after all is written, where `write` may end before.
    await this.#handle.appendFile(content)
  }

  keep(): Promise<void> {
    return this.#handle.close()
  }

  async discard(): Promise<void> {
    await this.#handle.close()
    await rm(this.#path, { force: true })
  }
}
