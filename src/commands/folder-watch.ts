/**
 * Imports the files of a folder as they arrive. A file is complete when two looks find it unchanged. The files that are
 * complete at one look are imported one after the other, in the order of their names, and are moved away with their
 * reports.
 */
import { lstat, mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { systemMessage } from '../database/system-message.ts'

/** The result of one file. */
export interface FileImport {
  /** `later`: the cause is not the file, so it stays and is tried again */
  readonly outcome: 'done' | 'failed' | 'later'
  /** what the import printed */
  readonly report: string
}

export interface FolderWatchOptions {
  readonly folder: string
  /** @param rejects path for its refused records, without the extension, which depends on their form */
  importFile(path: string, rejects: string): Promise<FileImport>
  /** called for every file: its name, which may be a guest's, and the timestamp that its new name begins with */
  tell(name: string, stamp: string, file: FileImport): void
  /** epoch ms */
  readonly now: () => number
}

/** How programs name files that they have not finished writing. */
const UNFINISHED = /^\.|~$|\.(part|partial|filepart|tmp|temp|crdownload|download|swp)$/i

interface Look {
  readonly size: number
  readonly mtimeMs: number
  /** changes whenever the file is written to, replaced or moved, also by programs that set the other time */
  readonly ctimeMs: number
}

const isContentSame = (one: Look, other: Look) => one.size === other.size && one.mtimeMs === other.mtimeMs

const isSame = (one: Look | undefined, other: Look | undefined) =>
  one !== undefined && other !== undefined && isContentSame(one, other) && one.ctimeMs === other.ctimeMs

/** A file that was moved away with its report. */
interface Moved {
  readonly name: string
  readonly target: string
  /** as it was imported */
  readonly look: Look
  /** epoch ms */
  readonly at: number
}

/** A program that pauses longer than this while it writes a file is not waited for. */
const MOVED_MS_MAX = 300_000
/** The newest of those that are looked at again. */
const MOVED_MAX = 100

export class FolderWatch {
  readonly #options: FolderWatchOptions
  #before = new Map<string, Look>()
  #moved: Moved[] = []

  constructor(options: FolderWatchOptions) {
    // Absolute: a path that began with a dash would be read as an option of the import.
    this.#options = { ...options, folder: resolve(options.folder) }
  }

  /** Files that are not imported yet, as of the last look. */
  get waiting(): number {
    return this.#before.size
  }

  /** Creates the folders for imported files if they are missing. */
  async open(): Promise<void> {
    for (const name of ['done', 'failed']) {
      await mkdir(join(this.#options.folder, name), { recursive: true, mode: 0o700 })
    }
  }

  /** Looks once, and imports the files that are complete. @returns whether a file has to be tried again later */
  async look(signal: AbortSignal): Promise<boolean> {
    const { folder, importFile, now, tell } = this.#options
    const before = this.#before
    await this.#takeBack()
    this.#before = await this.#files()
    // After the folder was read, so that a removed folder is not created again.
    await this.open()
    const complete = [...this.#before.keys()].filter((name) => {
      const seen = this.#before.get(name)
      // An empty file may have been created to be written to.
      return seen?.size !== 0 && isSame(before.get(name), seen)
    })
    for (const name of complete) {
      if (signal.aborted) return false
      const stamp = stampOf(now())
      const path = join(folder, name)
      // It waited for the files before it, and may have been replaced meanwhile.
      if (!isSame(this.#before.get(name), await lookAt(path))) continue
      const movedName = `${stamp}-${shortened(name)}`
      const file = await importFile(path, join(folder, 'failed', `${movedName}.rejects`))
      // A file that was changed meanwhile is imported again when it is complete.
      const stays = file.outcome === 'later' || !isSame(this.#before.get(name), await lookAt(path))
      const failure = stays ? undefined : await this.#moveAway(path, file, movedName)
      const look = this.#before.get(name)
      if (!stays && failure === undefined && look !== undefined) {
        const target = join(folder, file.outcome, movedName)
        this.#moved = [...this.#moved, { name, target, look, at: now() }].slice(-MOVED_MAX)
      }
      tell(name, stamp, failure ?? file)
      if ((failure ?? file).outcome === 'later') return true
      if (!stays) this.#before.delete(name)
    }
    return false
  }

  /**
   * @returns the message if the file could not be moved, for example because the disk is full. It stays then, and
   * importing it again changes nothing.
   */
  async #moveAway(
    path: string,
    { outcome, report }: FileImport,
    name: string,
  ): Promise<FileImport | undefined> {
    const target = join(this.#options.folder, outcome, name)
    const reportPath = `${target}.report.txt`
    try {
      // The folders may have been removed during the import.
      await this.open()
      // Written first, so that no file is found without its report.
      await writeFile(reportPath, report, { mode: 0o600 })
      await rename(path, target)
      return undefined
    } catch (error) {
      await rm(reportPath, { force: true }).catch(() => {})
      const reason = systemMessage(error)
      return { outcome: 'later', report: `It cannot be moved into the folder "${outcome}": ${reason}.\n` }
    }
  }

  /**
   * A program that pauses while it writes has its file imported before it is complete, and goes on writing to it where it
   * was moved. Such a file is put back, to be imported again; so is one that was replaced just before it was moved.
   */
  async #takeBack(): Promise<void> {
    const { folder, now, tell } = this.#options
    const kept: Moved[] = []
    for (const moved of this.#moved) {
      const found = await lookAt(moved.target)
      if (found === undefined || now() - moved.at > MOVED_MS_MAX) continue
      if (isContentSame(moved.look, found)) {
        kept.push(moved)
        continue
      }
      const path = join(folder, moved.name)
      const isFree = (await lstat(path).catch(() => undefined)) === undefined
      const failure = isFree ? await rename(moved.target, path).then(() => '', systemMessage) : NAME_TAKEN
      if (failure !== '') kept.push(moved)
      tell(moved.name, stampOf(now()), writtenTo(failure))
    }
    this.#moved = kept
  }

  async #files(): Promise<Map<string, Look>> {
    const entries = await readdir(this.#options.folder, { withFileTypes: true })
    const names = entries
      .filter((entry) => entry.isFile() && !UNFINISHED.test(entry.name))
      .map(({ name }) => name)
    const files = new Map<string, Look>()
    for (const name of names.sort()) {
      const look = await lookAt(join(this.#options.folder, name))
      if (look !== undefined) files.set(name, look)
      // The name is in another encoding, and the decoded name leads to no file.
      else if (name.includes('\ufffd'))
        this.#options.tell(name, stampOf(this.#options.now()), NAME_UNREADABLE)
    }
    return files
  }
}

const NAME_UNREADABLE: FileImport = {
  outcome: 'later',
  report: 'Its name is not in UTF-8, so it cannot be opened; rename it.\n',
}

const NAME_TAKEN = 'another file has its name'

/** @param failure why it cannot be put back yet, or '' */
const writtenTo = (failure: string): FileImport => ({
  outcome: 'later',
  report: `It was written to after it was imported, and ${failure === '' ? 'is imported again when it is complete' : `cannot be put back: ${failure}`}.\n`,
})

/** Undefined if it has gone or is not a regular file: the target of a link is not in the folder. */
async function lookAt(path: string): Promise<Look | undefined> {
  const found = await lstat(path).catch(() => undefined)
  return found?.isFile() ? { size: found.size, mtimeMs: found.mtimeMs, ctimeMs: found.ctimeMs } : undefined
}

/** A name may have 255 bytes, which include the timestamp before it and the extensions after it. */
const NAME_BYTES_MAX = 200

/** The last part of a name that is too long, with its extension. */
function shortened(name: string): string {
  let short = name
  while (Buffer.byteLength(short) > NAME_BYTES_MAX) short = [...short].slice(1).join('')
  return short
}

/** `20261122T114000123Z`: names that begin with it sort in the order of their imports. */
const stampOf = (ms: number) => new Date(ms).toISOString().replaceAll(/[-:.]/g, '')
