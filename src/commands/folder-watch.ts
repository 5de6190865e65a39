/**
 * A folder whose files are imported as they come. A file is taken when two looks find it the same; those that are
 * complete at one look go in one after the other, in the order of their names, and are moved away with their report.
 */
import { lstat, mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { systemMessage } from '../database/system-message.ts'

/** What became of one file. */
export interface FileImport {
  /** `later`: the file is not to blame, so it stays and is tried again */
  readonly outcome: 'done' | 'failed' | 'later'
  /** what the import printed */
  readonly report: string
}

export interface FolderWatchOptions {
  readonly folder: string
  /** @param rejects where its refused records go, without the ending that says their form */
  importFile(path: string, rejects: string): Promise<FileImport>
  /** told of every file: its name, which may be a guest's, and the moment that it begins with from now on */
  tell(name: string, stamp: string, file: FileImport): void
  /** epoch ms */
  readonly now: () => number
}

/** How programs name what they have not finished writing. */
const UNFINISHED = /^\.|~$|\.(part|partial|filepart|tmp|temp|crdownload|download|swp)$/i

interface Look {
  readonly size: number
  readonly mtimeMs: number
}

const isSame = (one: Look | undefined, other: Look | undefined) =>
  one !== undefined && other !== undefined && one.size === other.size && one.mtimeMs === other.mtimeMs

export class FolderWatch {
  readonly #options: FolderWatchOptions
  #before = new Map<string, Look>()

  constructor(options: FolderWatchOptions) {
    // Whole: the path of a file whose name begins with a dash would read as an option of the import.
    this.#options = { ...options, folder: resolve(options.folder) }
  }

  /** Files that are not imported yet, as the last look left them. */
  get waiting(): number {
    return this.#before.size
  }

  /** Makes the folders for what was imported, where they are missing. */
  async open(): Promise<void> {
    for (const name of ['done', 'failed']) {
      await mkdir(join(this.#options.folder, name), { recursive: true, mode: 0o700 })
    }
  }

  /**
   * Looks once, and imports what is complete.
   * @returns whether a file has to be tried again later
   */
  async look(signal: AbortSignal): Promise<boolean> {
    const { folder, importFile, now, tell } = this.#options
    const before = this.#before
    this.#before = await this.#files()
    // After the folder was read: one that has gone is not made again.
    await this.open()
    const complete = [...this.#before.keys()].filter((name) => {
      const seen = this.#before.get(name)
      // Somebody may have made it to write into it.
      return seen?.size !== 0 && isSame(before.get(name), seen)
    })
    for (const name of complete) {
      if (signal.aborted) return false
      const stamp = stampOf(now())
      const path = join(folder, name)
      // It waited for those before it, and something else may have its name by now.
      if (!isSame(this.#before.get(name), await lookAt(path))) continue
      const movedName = `${stamp}-${shortened(name)}`
      const file = await importFile(path, join(folder, 'failed', `${movedName}.rejects`))
      // One that was written to meanwhile is taken again when it is complete.
      const stays = file.outcome === 'later' || !isSame(this.#before.get(name), await lookAt(path))
      const failure = stays ? undefined : await this.#moveAway(path, file, movedName)
      tell(name, stamp, failure ?? file)
      if ((failure ?? file).outcome === 'later') return true
      if (!stays) this.#before.delete(name)
    }
    return false
  }

  /** @returns what is told where the disk is full, say: the file stays, and imported again it changes nothing */
  async #moveAway(
    path: string,
    { outcome, report }: FileImport,
    name: string,
  ): Promise<FileImport | undefined> {
    const target = join(this.#options.folder, outcome, name)
    const reportPath = `${target}.report.txt`
    try {
      // An import takes its time, and somebody may have tidied up.
      await this.open()
      // First: nobody finds a file without its report.
      await writeFile(reportPath, report, { mode: 0o600 })
      await rename(path, target)
      return undefined
    } catch (error) {
      await rm(reportPath, { force: true }).catch(() => {})
      const reason = systemMessage(error)
      return { outcome: 'later', report: `It cannot be moved into the folder "${outcome}": ${reason}.\n` }
    }
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
      // Its name is in another encoding, and what was read of it leads to no file.
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

/** Undefined where it has gone, or is no file: what a link leads to was not put into the folder. */
async function lookAt(path: string): Promise<Look | undefined> {
  const found = await lstat(path).catch(() => undefined)
  return found?.isFile() ? { size: found.size, mtimeMs: found.mtimeMs } : undefined
}

/** A name may have 255 bytes, of which the moment before it and the endings behind it take some. */
const NAME_BYTES_MAX = 200

/** The end of a name that is too long, with the ending that says what the file is. */
function shortened(name: string): string {
  let short = name
  while (Buffer.byteLength(short) > NAME_BYTES_MAX) short = [...short].slice(1).join('')
  return short
}

/** `20261122T114000123Z`: names that begin with it are in the order of their imports. */
const stampOf = (ms: number) => new Date(ms).toISOString().replaceAll(/[-:.]/g, '')
