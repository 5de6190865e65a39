/**
 * Files named in a command's arguments, and standard input. They are read and written by the process of the user who
 * typed the command.
 */
import { randomBytes } from 'node:crypto'
import { fstatSync } from 'node:fs'
import { type FileHandle, open, rename, rm, stat } from 'node:fs/promises'
import { systemMessage } from '../../database/postgres/system-message.ts'
import { visible } from '../../errors/visible.ts'
import { InputError } from '../input-error.ts'
import { cannotOpen, readFileBytes } from './read-bytes.ts'

/** The name of standard input on the command line and in problems. */
export const STDIN = '-'

export interface Files {
  /**
   * The bytes of a file, or of standard input (`-`).
   * @throws {InputError} if there is no such file or it is a folder
   */
  open(path: string): Promise<AsyncIterable<Buffer>>
  /**
   * Creates a file, or replaces an existing one when it is complete. Only its owner may read it, because it contains
   * guests' data.
   * @param shown the path in messages, if it is another
   */
  create(path: string, shown?: string): Promise<NewFile>
}

export interface NewFile {
  write(content: string | Uint8Array): Promise<void>
  /** Completes the file. */
  keep(): Promise<void>
  /** Deletes the unfinished file. */
  discard(): Promise<void>
}

/**
 * Files accessed with the rights of this process's user.
 * @param stdinFd the descriptor of `stdin`, if it has one: Node reads a folder or a disk there as if it were empty
 */
export function localFiles(stdin: AsyncIterable<Buffer>, stdinFd?: number): Files {
  return {
    async open(path) {
      if (path === STDIN) {
        if (stdinFd !== undefined) checkReadable(stdinFd)
        return stdin
      }
      const found = await stat(path).catch((error: unknown) => {
        throw new InputError(cannotOpen(path, error))
      })
      if (found.isDirectory()) throw new InputError(`${visible(path)} is a folder; name the files in it`)
      return readFileBytes(path)
    },

    async create(path, shown = path) {
      const found = await stat(path).catch(() => undefined)
      if (found?.isFile() === false)
        throw new InputError(`${visible(shown)} is not a file; name a file to write`)
      // A draft is written and renamed at the end: the new file takes over neither the permissions of an existing one
      // nor a link, and an existing one remains until the new one is complete.
      const draft = `${path}.${randomBytes(4).toString('hex')}.part`
      return new LocalFile(path, draft, await writing(shown, open(draft, 'wx', 0o600)), shown)
    },
  }
}

/** @throws {InputError} for what is not read as a stream of bytes */
function checkReadable(stdinFd: number): void {
  const found = fstatSync(stdinFd)
  if (found.isDirectory()) throw new InputError('Standard input is a folder; name the files in it')
  if (found.isBlockDevice()) throw new InputError('Standard input is a disk; name the files on it')
}

class LocalFile implements NewFile {
  readonly #path: string
  readonly #draft: string
  readonly #handle: FileHandle
  readonly #shown: string

  constructor(path: string, draft: string, handle: FileHandle, shown: string) {
    this.#path = path
    this.#draft = draft
    this.#handle = handle
    this.#shown = shown
  }

  write(content: string | Uint8Array): Promise<void> {
    // `appendFile` writes everything; `write` may write only a part.
    return writing(this.#shown, this.#handle.appendFile(content))
  }

  async keep(): Promise<void> {
    await writing(this.#shown, this.#handle.sync())
    await this.#handle.close()
    await writing(this.#shown, rename(this.#draft, this.#path))
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
