/**
 * Imports the files of a folder as they arrive. A file is complete when two looks find it unchanged. The files that are
 * complete at one look are imported one after the other, in the order of their names, and are moved away with their
 * reports.
 *
 * Others may write into the folder, and must not direct what is written and moved to another place. So the folder and its
 * subfolders are used by their handles, and a link in the place of a subfolder is reported and not followed.
 */
import { mkdirSync } from 'node:fs'
import { lstat, readdir, rename, rm, writeFile } from 'node:fs/promises'
import { basename, dirname, extname, join, resolve } from 'node:path'
import { systemMessage } from '../core/database/postgres/system-message.ts'
import { DirectoryHandle, FolderReplaced } from '../core/files/directory-handle.ts'
import type { Files, NewFile } from '../core/intake/lines/files.ts'
import { type DeletedFiles, deleteImported } from './delete-imported.ts'

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
  /**
   * called if the folder cannot be used as it is, with a sentence, and with undefined when it can be used again; never
   * twice in a row for the same reason
   */
  onTrouble?(sentence: string | undefined): void
  /** epoch ms */
  readonly now: () => number
}

const DONE = 'done'
const FAILED = 'failed'

/** How programs name files that they have not finished writing. */
const UNFINISHED = new Set(
  ['part', 'partial', 'filepart', 'tmp', 'temp', 'crdownload', 'opdownload', 'download', 'swp'].map(
    (ending) => `.${ending}`,
  ),
)

/**
 * What operating systems and programs for spreadsheets write into a folder for themselves: hidden files, the owner of an
 * open workbook (`~$guests.xlsx`), pictures and the look of the folder. No sender finishes them, and they stay.
 */
const OF_PROGRAMS = new Set([
  'thumbs.db',
  'ehthumbs.db',
  'thumbs_vista.db',
  'ehthumbs_vista.db',
  'desktop.ini',
  'icon',
  'icon\r',
])

const isOfProgram = (name: string) =>
  // What follows a colon is a stream of the file, which Windows shows as a file of its own.
  name.startsWith('.') || name.startsWith('~$') || OF_PROGRAMS.has(name.toLowerCase().split(':', 1)[0] ?? '')
const hasUnfinishedName = (name: string) => name.endsWith('~') || UNFINISHED.has(extname(name).toLowerCase())

const isUnfinished = (name: string) => hasUnfinishedName(name) && !isOfProgram(name)
const isData = (name: string) => !hasUnfinishedName(name) && !isOfProgram(name)

/** As the database and the operating system say it. */
const DISK_FULL = /no space left|\b(?:is|was) full\b/i

interface Look {
  readonly size: number
  readonly mtimeMs: number
  /** changes whenever the file is written to, replaced or moved, also by programs that set the other time */
  readonly ctimeMs: number
}

const isContentSame = (one: Look, other: Look) => one.size === other.size && one.mtimeMs === other.mtimeMs

const isSame = (one: Look | undefined, other: Look | undefined) =>
  one !== undefined && other !== undefined && isContentSame(one, other) && one.ctimeMs === other.ctimeMs

/** Problems of the folder and its files that no import reports. */
export interface FolderCondition {
  readonly isUsable: boolean
  /** for how long the oldest file has been there that its sender has not finished; null if there is none */
  readonly unfinishedMs: number | null
  /** for how long the oldest empty file has been there */
  readonly emptyMs: number | null
  /** for how long a file has been tried in vain */
  readonly waitingMs: number | null
  readonly isDiskFull: boolean
}

/** A file that was moved away with its report. */
interface Moved {
  readonly name: string
  readonly target: string
  /** the subfolder it was moved into */
  readonly outcome: typeof DONE | typeof FAILED
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
  #root: DirectoryHandle | undefined
  #before = new Map<string, Look>()
  #moved: Moved[] = []
  #trouble: string | undefined
  /** files that are not imported because they are unfinished or empty, and since when they have not changed */
  #incomplete = new Map<string, { readonly look: Look; readonly since: number }>()
  /** since when a file has been tried in vain */
  #waitingSince: number | undefined
  #isDiskFull = false
  /** subfolders besides those of the watch that must not be replaced while it runs */
  readonly #held = new Map<string, DirectoryHandle>()

  constructor(options: FolderWatchOptions) {
    // Absolute: a path that began with a dash would be read as an option of the import.
    this.#options = { ...options, folder: resolve(options.folder) }
  }

  /** Files that are not imported yet, as of the last look. */
  get waiting(): number {
    return this.#before.size
  }

  /** What the center should know: for how long files have been there that cannot be imported, in ms. */
  get condition(): FolderCondition {
    const now = this.#options.now()
    const oldest = (isEmpty: boolean) => {
      const times = [...this.#incomplete.values()]
        .filter(({ look }) => (look.size === 0) === isEmpty)
        .map(({ since }) => now - since)
      return times.length === 0 ? null : Math.max(...times)
    }
    return {
      isUsable: this.#trouble === undefined,
      unfinishedMs: oldest(false),
      emptyMs: oldest(true),
      waitingMs: this.#waitingSince === undefined ? null : now - this.#waitingSince,
      isDiskFull: this.#isDiskFull,
    }
  }

  /**
   * Opens the folder, which may be a link, and creates the folders for imported files if they are missing.
   * @throws if it is not there, or a subfolder is a link
   */
  async open(): Promise<void> {
    this.#root ??= DirectoryHandle.open(this.#options.folder, { followsLink: true })
    for (const name of [DONE, FAILED]) this.#openSub(name).close()
  }

  /** Holds a subfolder until the watch is closed, and creates it if it is missing. Files wait if it is replaced. */
  hold(name: string): DirectoryHandle {
    const held = this.#openSub(name)
    this.#held.set(name, held)
    return held
  }

  close(): void {
    for (const held of this.#held.values()) held.close()
    this.#root?.close()
    this.#root = undefined
    this.#held.clear()
  }

  /** Creates a file. One in a folder of the watch is created by the handle of that folder. */
  async create(files: Files, path: string): Promise<NewFile> {
    const [parent, name] = [dirname(resolve(path)), basename(path)]
    const sub = [DONE, FAILED].find((folder) => parent === join(this.#options.folder, folder))
    if (sub === undefined && parent !== this.#options.folder) return files.create(path)
    const held = sub === undefined ? undefined : this.#openSub(sub)
    try {
      const file = await files.create((held ?? this.#opened).at(name), path)
      return {
        write: (content) => file.write(content),
        keep: () => file.keep().finally(() => held?.close()),
        discard: () => file.discard().finally(() => held?.close()),
      }
    } catch (error) {
      held?.close()
      throw error
    }
  }

  /**
   * Deletes what was imported before a time, and records it in the subfolder `log`.
   * @param before epoch ms
   * @throws the system's error, for example if a subfolder was replaced by a link
   */
  async deleteImported(log: string, before: number, why: 'age' | 'request'): Promise<DeletedFiles> {
    const now = this.#options.now()
    return this.#use(DONE, (done) =>
      this.#use(FAILED, (failed) =>
        this.#use(log, (held) => deleteImported({ done, failed, log: held, before, now, why })),
      ),
    )
  }

  /** The path of an entry of the watched folder itself, by its handle. */
  at(name: string): string {
    return this.#opened.at(name)
  }

  get #opened(): DirectoryHandle {
    if (this.#root === undefined) throw new Error('the watched folder is not open')
    return this.#root
  }

  /** Opens a subfolder, which is created if it is missing. @throws {FolderReplaced} with the name if it is a link */
  #openSub(name: string): DirectoryHandle {
    const path = this.at(name)
    try {
      mkdirSync(path, { mode: 0o700 })
    } catch (error) {
      if (!isThere(error)) throw error
    }
    try {
      return DirectoryHandle.open(path)
    } catch (error) {
      if (error instanceof FolderReplaced) throw new FolderReplaced(`its folder "${name}" ${error.message}`)
      throw error
    }
  }

  /** Uses a subfolder by its handle. */
  async #use<T>(name: string, work: (held: DirectoryHandle) => Promise<T>): Promise<T> {
    const held = this.#openSub(name)
    try {
      return await work(held)
    } finally {
      held.close()
    }
  }

  /** @returns whether the folders can be used; if a subfolder cannot, the user is informed, and files wait */
  async #isUsable(): Promise<boolean> {
    this.#checkRoot()
    let trouble: string | undefined
    try {
      await this.open()
      for (const [name, held] of this.#held) checkHeld(name, held)
    } catch (error) {
      trouble = systemMessage(error)
    }
    if (trouble !== this.#trouble) this.#options.onTrouble?.(trouble)
    this.#trouble = trouble
    return trouble === undefined
  }

  /** @throws if the path of the folder does not lead to it any more: it may be a disk that comes back */
  #checkRoot(): void {
    try {
      this.#opened.check()
    } catch (error) {
      if (error instanceof FolderReplaced) throw new Error(`it ${error.message}`, { cause: error })
      throw error
    }
  }

  /** Looks once, and imports the files that are complete. @returns whether a file has to be tried again later */
  async look(signal: AbortSignal): Promise<boolean> {
    const { folder, importFile, now, tell } = this.#options
    const before = this.#before
    if (!(await this.#isUsable())) return true
    await this.#takeBack()
    this.#before = await this.#files()
    const complete = [...this.#before.keys()].filter((name) => {
      const seen = this.#before.get(name)
      // An empty file may have been created to be written to.
      return seen?.size !== 0 && isSame(before.get(name), seen)
    })
    for (const name of complete) {
      if (signal.aborted) return false
      const stamp = stampOf(now())
      // It waited for the files before it, and may have been replaced meanwhile.
      if (!isSame(this.#before.get(name), await lookAt(this.at(name)))) continue
      const movedName = `${stamp}-${shortened(name)}`
      const file = await importFile(join(folder, name), join(folder, FAILED, `${movedName}.rejects`))
      // A file that was changed meanwhile is imported again when it is complete.
      const stays = !isSame(this.#before.get(name), await lookAt(this.at(name)))
      const { outcome } = file
      const failure =
        stays || outcome === 'later' ? undefined : await this.#moveAway(name, { ...file, outcome }, movedName)
      const look = this.#before.get(name)
      if (!stays && outcome !== 'later' && failure === undefined && look !== undefined) {
        const moved = { name, target: movedName, outcome, look, at: now() }
        this.#moved = [...this.#moved, moved].slice(-MOVED_MAX)
      }
      this.#noteWaiting(failure ?? file)
      tell(name, stamp, failure ?? file)
      if ((failure ?? file).outcome === 'later') return true
      if (!stays && outcome !== 'later') this.#before.delete(name)
    }
    return false
  }

  /**
   * @returns the message if the file could not be moved, for example because the disk is full. It stays then, and
   * importing it again changes nothing.
   */
  async #moveAway(
    name: string,
    { outcome, report }: FileImport & Pick<Moved, 'outcome'>,
    target: string,
  ): Promise<FileImport | undefined> {
    try {
      // The folders may have been removed or replaced during the import.
      await this.open()
      await this.#use(outcome, async (held) => {
        const reportPath = held.at(`${target}.report.txt`)
        // Written first, so that no file is found without its report. It is a new file: a link there is not followed.
        await writeFile(reportPath, report, { mode: 0o600, flag: 'wx' })
        await rename(this.at(name), held.at(target)).catch(async (error: unknown) => {
          await rm(reportPath, { force: true }).catch(() => {})
          throw error
        })
      })
      return undefined
    } catch (error) {
      const reason = systemMessage(error)
      return { outcome: 'later', report: `It cannot be moved into the folder "${outcome}": ${reason}.\n` }
    }
  }

  /**
   * A program that pauses while it writes has its file imported before it is complete, and goes on writing to it where it
   * was moved. Such a file is put back, to be imported again; so is one that was replaced just before it was moved.
   */
  async #takeBack(): Promise<void> {
    const { now, tell } = this.#options
    const waiting: Moved[] = []
    for (const moved of this.#moved) {
      const failure = await this.#use(moved.outcome, (held) => this.#putBack(moved, held)).catch(
        systemMessage,
      )
      if (failure === undefined) continue
      if (failure !== '') waiting.push(moved)
      if (failure !== UNCHANGED) tell(moved.name, stampOf(now()), writtenTo(failure))
    }
    this.#moved = waiting
  }

  /** @returns undefined if it has gone, or is not waited for any more; '' if it was put back; otherwise why it was not */
  async #putBack({ name, target, look, at }: Moved, held: DirectoryHandle): Promise<string | undefined> {
    const found = await lookAt(held.at(target))
    if (found === undefined || this.#options.now() - at > MOVED_MS_MAX) return undefined
    if (isContentSame(look, found)) return UNCHANGED
    const path = this.at(name)
    const isFree = (await lstat(path).catch(() => undefined)) === undefined
    return isFree ? rename(held.at(target), path).then(() => '', systemMessage) : NAME_TAKEN
  }

  async #files(): Promise<Map<string, Look>> {
    const entries = await readdir(this.#opened.path, { withFileTypes: true })
    const files = new Map<string, Look>()
    const unfinished = entries.filter((entry) => entry.isFile() && isUnfinished(entry.name))
    const names = entries.filter((entry) => entry.isFile() && isData(entry.name)).map(({ name }) => name)
    for (const name of names.sort()) {
      const look = await lookAt(this.at(name))
      if (look !== undefined) files.set(name, look)
      // The name is in another encoding, and the decoded name leads to no file.
      else if (name.includes('\ufffd'))
        this.#options.tell(name, stampOf(this.#options.now()), NAME_UNREADABLE)
    }
    const incomplete = [...files].filter(([, { size }]) => size === 0)
    for (const { name } of unfinished) {
      const look = await lookAt(this.at(name))
      if (look !== undefined) incomplete.push([name, look])
    }
    this.#noteIncomplete(incomplete)
    if (files.size === 0) this.#noteWaiting(undefined)
    return files
  }

  #noteIncomplete(found: readonly (readonly [string, Look])[]): void {
    const before = this.#incomplete
    const now = this.#options.now()
    this.#incomplete = new Map(
      found.map(([name, look]) => {
        const known = before.get(name)
        return [name, known !== undefined && isSame(known.look, look) ? known : { look, since: now }]
      }),
    )
  }

  #noteWaiting(file: FileImport | undefined): void {
    const isWaiting = file?.outcome === 'later'
    this.#waitingSince = isWaiting ? (this.#waitingSince ?? this.#options.now()) : undefined
    this.#isDiskFull = isWaiting && DISK_FULL.test(file.report)
  }
}

const NAME_UNREADABLE: FileImport = {
  outcome: 'later',
  report: 'Its name is not in UTF-8, so it cannot be opened; rename it.\n',
}

const UNCHANGED = 'it was not written to'

const NAME_TAKEN = 'another file has its name'

/** @param failure why it cannot be put back yet, or '' */
const writtenTo = (failure: string): FileImport => ({
  outcome: 'later',
  report: `It was written to after it was imported, and ${failure === '' ? 'is imported again when it is complete' : `cannot be put back: ${failure}`}.\n`,
})

/** A subfolder that was removed is missed by nobody. @throws {FolderReplaced} if something else has its place */
function checkHeld(name: string, held: DirectoryHandle): void {
  try {
    held.check()
  } catch (error) {
    if (error instanceof FolderReplaced) throw new FolderReplaced(`its folder "${name}" ${error.message}`)
    if (!isMissing(error)) throw error
  }
}

const codeOf = (error: unknown) => (error instanceof Error && 'code' in error ? error.code : undefined)
const isThere = (error: unknown) => codeOf(error) === 'EEXIST'
const isMissing = (error: unknown) => codeOf(error) === 'ENOENT'

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
