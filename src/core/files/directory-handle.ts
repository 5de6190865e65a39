/**
 * A folder that is used by its handle. Others may write into the folder around it, and may replace it with a link at any
 * moment; what is done through the handle stays in the folder that was opened.
 *
 * Linux names a handle's folder `/proc/self/fd/N`. Elsewhere the path is compared with the handle before each use, which
 * leaves a moment between the comparison and the use.
 */
import {
  close,
  closeSync,
  constants,
  existsSync,
  fstat,
  fstatSync,
  lstatSync,
  open,
  openSync,
  type Stats,
  statSync,
} from 'node:fs'
import { lstat, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'

/** A folder is not there as it was opened. The message says what is there, without naming the folder. */
export class FolderReplaced extends Error {
  override readonly name = 'FolderReplaced'
}

/** Windows has none of these, and opens no folder. */
const AS_FOLDER = (constants.O_DIRECTORY ?? 0) | constants.O_RDONLY
const NO_LINK = constants.O_NOFOLLOW ?? 0

const HANDLES = '/proc/self/fd'

export interface HowToOpen {
  /** whether the path itself may be a link, which is followed now and must lead there from then on */
  readonly followsLink?: boolean
  /** whether to use paths of handles; by default, if the system has them */
  readonly byHandle?: boolean
}

type Identity = Pick<Stats, 'dev' | 'ino'>

export class DirectoryHandle {
  readonly #path: string
  readonly #fd: number | undefined
  readonly #identity: Identity
  readonly #followsLink: boolean
  readonly #byHandle: boolean

  private constructor(path: string, fd: number | undefined, identity: Identity, how: Required<HowToOpen>) {
    this.#path = path
    this.#fd = fd
    this.#identity = identity
    this.#followsLink = how.followsLink
    this.#byHandle = how.byHandle
  }

  /**
   * Opens a folder.
   * @throws {FolderReplaced} if it is a link or no folder
   * @throws the system's error, for example if there is none
   */
  static open(
    path: string,
    { followsLink = false, byHandle = hasHandlePaths() }: HowToOpen = {},
  ): DirectoryHandle {
    const found = look(path, followsLink)
    const isPosix = process.platform !== 'win32'
    const fd = isPosix ? openFolder(path, followsLink) : undefined
    return new DirectoryHandle(path, fd, fd === undefined ? found : fstatSync(fd), {
      followsLink,
      byHandle,
    })
  }

  /**
   * As `open`, for a folder that may be on a server that does not answer: only the caller waits for it.
   * @throws {FolderReplaced} if it is a link or no folder
   */
  static async openLater(
    path: string,
    { followsLink = false, byHandle = hasHandlePaths() }: HowToOpen = {},
  ): Promise<DirectoryHandle> {
    const found = await lookLater(path, followsLink)
    const how = { followsLink, byHandle }
    if (process.platform === 'win32') return new DirectoryHandle(path, undefined, found, how)
    const flags = AS_FOLDER | (followsLink ? 0 : NO_LINK)
    const fd = await openHandle(path, flags).catch(async (error: unknown) => {
      // It may have been replaced since it was looked at.
      await lookLater(path, followsLink)
      throw error
    })
    try {
      return new DirectoryHandle(path, fd, await statHandle(fd), how)
    } catch (error) {
      await closeHandle(fd)
      throw error
    }
  }

  /**
   * The path of an entry of the folder, through the handle where the system has paths of handles.
   * @throws {FolderReplaced} otherwise, if the folder's path does not lead to it any more
   */
  at(name: string): string {
    if (this.#fd !== undefined && this.#byHandle) return `${HANDLES}/${this.#fd}/${name}`
    this.check()
    return join(this.#path, name)
  }

  /** The folder's own path, as `at`. */
  get path(): string {
    return this.at('').replace(/[/\\]$/, '')
  }

  /** @throws {FolderReplaced} if its path leads to something else; the system's error if it leads to nothing */
  check(): void {
    const { dev, ino } = look(this.#path, this.#followsLink)
    if (dev !== this.#identity.dev || ino !== this.#identity.ino)
      throw new FolderReplaced('was replaced by another folder')
  }

  close(): void {
    if (this.#fd !== undefined) closeSync(this.#fd)
  }
}

const look = (path: string, followsLink: boolean) =>
  requireFolder(followsLink ? statSync(path) : lstatSync(path))
const lookLater = async (path: string, followsLink: boolean) =>
  requireFolder(await (followsLink ? stat(path) : lstat(path)))

function requireFolder(found: Stats): Stats {
  if (found.isSymbolicLink()) throw new FolderReplaced('is a link')
  if (!found.isDirectory()) throw new FolderReplaced('is not a folder')
  return found
}

const openHandle = promisify<string, number, number>(open)
const statHandle = promisify<number, Stats>(fstat)
const closeHandle = promisify(close)

function openFolder(path: string, followsLink: boolean): number {
  try {
    return openSync(path, AS_FOLDER | (followsLink ? 0 : NO_LINK))
  } catch (error) {
    // It may have been replaced since it was looked at.
    look(path, followsLink)
    throw error
  }
}

let handlePaths: boolean | undefined
const hasHandlePaths = () => (handlePaths ??= process.platform === 'linux' && existsSync(HANDLES))
