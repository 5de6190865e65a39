/**
 * Stores reads that have waited too long for the trail in a local file: if the process is killed, the next one writes
 * them. Each process has a folder of its own, locked while it lives, so that several processes can share the location
 * and none takes what another still needs.
 */
import { randomUUID } from 'node:crypto'
import { appendFileSync, existsSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { appendFile } from 'node:fs/promises'
import { join } from 'node:path'
import { FolderInUse, type FolderLock, lockFolder } from '../../files/folder-lock.ts'
import { isNoSpace } from '../../files/no-space.ts'
import { ENTRY_COLUMNS, type EntryContent } from '../entry.ts'
import type { PreparedEntry } from './prepare-entries.ts'
import { NoRoom, ReservedFile } from './reserved-file.ts'

export interface WaitingFile {
  /** reads left by processes that have ended, by batch; retained until `clear` */
  readonly leftovers: readonly (readonly PreparedEntry[])[]
  /** why leftover files could not be read; they remain in place */
  readonly unreadable: readonly string[]
  /**
   * @returns whether there is room for more: on a full disk, until half of what was reserved on it is used
   * @throws {NoRoom} if all of that is used
   */
  append(entries: readonly PreparedEntry[]): Promise<boolean>
  /** Synchronous version for a process that is ending. */
  appendNow(entries: readonly PreparedEntry[]): void
  /** Called when everything appended or left over is in the trail. */
  clear(): void
  /** Releases the folder. Reads that were not cleared remain for the next process. */
  close(): void
}

const FILE = 'reads.ndjson'
const SPARE_FILE = 'spare.ndjson'
/** Enough for some thousand reads of pages. */
const SPARE_BYTES = 8 * 1024 * 1024

/**
 * @param place folder for those of all processes
 * @param spareBytes reserved at once, for a disk that is full later
 */
export function openWaitingFile(place: string, spareBytes = SPARE_BYTES): WaitingFile {
  const unreadable: string[] = []
  const left = takeLeftovers(place, unreadable)
  let own = tryFolder(place, spareBytes)
  let empty = true
  /** Whether it ends with a whole line: a disk that fills up takes a part of what is appended. */
  let isWhole = true
  const textOf = (entries: readonly PreparedEntry[]) => `${isWhole ? '' : '\n'}${lines(entries)}`
  const file = (): string => {
    own ??= newFolder(place, spareBytes)
    empty = false
    return join(own.folder, FILE)
  }
  const spared = (error: unknown, text: string): boolean => {
    if (!isNoSpace(error)) throw error
    if (own?.spare === undefined) throw new NoRoom('nothing is reserved')
    return own.spare.write(text)
  }
  return {
    leftovers: byBatch(left.flatMap(({ entries }) => entries)),
    unreadable,
    async append(entries) {
      const text = textOf(entries)
      isWhole = false
      try {
        await appendFile(file(), text, { mode: 0o600 })
        isWhole = true
        return true
      } catch (error) {
        return spared(error, text)
      }
    },
    appendNow(entries) {
      const text = textOf(entries)
      isWhole = false
      try {
        appendFileSync(file(), text, { mode: 0o600 })
        isWhole = true
      } catch (error) {
        spared(error, text)
      }
    },
    clear() {
      for (const leftover of left.splice(0)) drop(leftover)
      if (own === undefined || empty) return
      rmSync(join(own.folder, FILE), { force: true })
      own.spare?.clear()
      own.spare ??= trySpare(own.folder, spareBytes)
      isWhole = true
      empty = true
    },
    close() {
      for (const { lock } of left.splice(0)) lock.release()
      if (own === undefined) return
      own.spare?.close()
      if (empty) drop(own)
      else own.lock.release()
      own = undefined
    },
  }
}

interface OwnFolder {
  readonly folder: string
  readonly lock: FolderLock
  /** undefined while there is no space for it */
  spare: ReservedFile | undefined
}

function newFolder(place: string, spareBytes: number): OwnFolder {
  const folder = join(place, randomUUID())
  const lock = lockFolder(folder)
  return { folder, lock, spare: trySpare(folder, spareBytes) }
}

/** Between creating and locking it, another process that starts may take it for a leftover; then the next one is used. */
const FOLDERS_TRIED = 3

function tryFolder(place: string, spareBytes: number): OwnFolder | undefined {
  for (let tried = 0; tried < FOLDERS_TRIED; tried++) {
    try {
      return newFolder(place, spareBytes)
    } catch {
      // Reported when reads have to be stored.
    }
  }
  return undefined
}

function trySpare(folder: string, bytes: number): ReservedFile | undefined {
  const path = join(folder, SPARE_FILE)
  try {
    return new ReservedFile(path, bytes)
  } catch {
    rmSync(path, { force: true })
    return undefined
  }
}

function drop({ folder, lock }: { readonly folder: string; readonly lock: FolderLock }): void {
  lock.release()
  rmSync(folder, { recursive: true, force: true })
}

interface Leftover {
  readonly folder: string
  readonly lock: FolderLock
  readonly entries: readonly PreparedEntry[]
}

/** The service also starts if something there cannot be read; it is reported instead. */
function takeLeftovers(place: string, unreadable: string[]): Leftover[] {
  try {
    if (!existsSync(place)) return []
    const folders = readdirSync(place, { withFileTypes: true }).filter((each) => each.isDirectory())
    return folders.flatMap(({ name }) => takeLeftover(join(place, name), unreadable))
  } catch (error) {
    unreadable.push(reasonOf(error))
    return []
  }
}

function takeLeftover(folder: string, unreadable: string[]): Leftover[] {
  let lock: FolderLock | undefined
  try {
    lock = lockFolder(folder)
    const entries = [FILE, SPARE_FILE].flatMap((name) => readEntries(join(folder, name)))
    if (entries.length > 0) return [{ folder, lock, entries }]
    drop({ folder, lock })
    return []
  } catch (error) {
    lock?.release()
    // A folder in use belongs to a live process.
    if (!(error instanceof FolderInUse)) unreadable.push(reasonOf(error))
    return []
  }
}

const reasonOf = (error: unknown) => (error instanceof Error ? error.message : String(error))

const lines = (entries: readonly PreparedEntry[]) =>
  entries.map((entry) => `${JSON.stringify(entry)}\n`).join('')

/** The last line may be incomplete if the process ended while writing it. */
function readEntries(path: string): PreparedEntry[] {
  if (!existsSync(path)) return []
  return readFileSync(path, 'utf8')
    .split('\n')
    .flatMap((line) => {
      try {
        const entry: unknown = JSON.parse(line)
        if (!isPrepared(entry)) return []
        // Entries left by an earlier version have no channel.
        return [{ ...entry, content: { ...entry.content, channel: entry.content.channel ?? null } }]
      } catch {
        return []
      }
    })
}

/** Groups entries by batch and removes duplicates, which occur if a process stored a leftover batch again. */
function byBatch(entries: readonly PreparedEntry[]): PreparedEntry[][] {
  const batches = new Map<string, Map<string, PreparedEntry>>()
  for (const entry of entries) {
    const { batch } = entry.content
    let ofBatch = batches.get(batch)
    if (ofBatch === undefined) {
      ofBatch = new Map()
      batches.set(batch, ofBatch)
    }
    ofBatch.set(JSON.stringify(entry.content), entry)
  }
  return [...batches.values()].map((ofBatch) => [...ofBatch.values()])
}

function isPrepared(value: unknown): value is PreparedEntry {
  if (!isFields(value) || !isFields(value.content) || typeof value.lastAt !== 'number') return false
  const { content, recordList } = value
  if (recordList !== null && typeof recordList !== 'string') return false
  return CONTENT_COLUMNS.every((name) => {
    const isText = ENTRY_COLUMNS[name].json === 'text'
    if (NULLABLE.has(name) && (content[name] ?? null) === null) return true
    return typeof content[name] === (isText ? 'string' : 'number')
  })
}

const isFields = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null

const NULLABLE: ReadonlySet<string> = new Set<keyof EntryContent>(['record_list', 'channel'])

const CONTENT_COLUMNS = (Object.keys(ENTRY_COLUMNS) as (keyof typeof ENTRY_COLUMNS)[]).filter(
  (name): name is Exclude<keyof EntryContent, 'seq'> =>
    name !== 'seq' && name !== 'hash' && name !== 'previous_hash',
)
