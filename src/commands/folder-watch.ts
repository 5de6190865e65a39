/**
 * A folder whose files are imported as they come. A file is taken when two looks find it the same; those that are
 * complete at one look go in one after the other, in the order of their names, and are moved away with their report.
 */
import { mkdir, readdir, rename, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

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
  /** told of every file: the moment that its name begins with from now on, and never the name, which may be a guest's */
  tell(stamp: string, file: FileImport): void
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
    this.#options = options
  }

  /** Files that are not imported yet, as the last look left them. */
  get waiting(): number {
    return this.#before.size
  }

  /** Makes the folders for what was imported. */
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
    const complete = [...this.#before.keys()].filter((name) => {
      const seen = this.#before.get(name)
      // Somebody may have made it to write into it.
      return seen?.size !== 0 && isSame(before.get(name), seen)
    })
    for (const name of complete) {
      if (signal.aborted) return false
      const stamp = stampOf(now())
      const path = join(folder, name)
      const file = await importFile(path, join(folder, 'failed', `${stamp}-${name}.rejects`))
      tell(stamp, file)
      if (file.outcome === 'later') return true
      // One that was written to meanwhile is taken again when it is complete.
      if (!isSame(this.#before.get(name), await lookAt(path))) continue
      const target = join(folder, file.outcome, `${stamp}-${name}`)
      await rename(path, target)
      await writeFile(`${target}.report.txt`, file.report, { mode: 0o600 })
      this.#before.delete(name)
    }
    return false
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
    }
    return files
  }
}

/** Undefined where it has gone. */
async function lookAt(path: string): Promise<Look | undefined> {
  const { size, mtimeMs } = (await stat(path).catch(() => undefined)) ?? {}
  return size === undefined || mtimeMs === undefined ? undefined : { size, mtimeMs }
}

/** `20261122T114000123Z`: names that begin with it are in the order of their imports. */
const stampOf = (ms: number) => new Date(ms).toISOString().replaceAll(/[-:.]/g, '')
