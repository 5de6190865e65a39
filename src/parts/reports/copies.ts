/**
 * What an instance stores in a folder of its own, so that it can send reports while the database is away: the last good
 * copy of each, and what was sent and is not in the database yet. The files have personal data: nobody else may read them
 * (0600 in 0700), there is one for each report, they are bounded, and a copy is removed once its key is revoked, its
 * center erases somebody, or it is a week old.
 */
import { randomUUID } from 'node:crypto'
import {
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import type { FileMark } from './destinations/to-folder.ts'
import type { ReportDocument } from './documents/document.ts'
import type { DueReportRow } from './reports-sql.ts'

export interface Copy {
  readonly report: DueReportRow
  /** for which time the document was made: epoch ms */
  readonly slot: number
  /** undefined: there is none, or it may not be sent any more */
  readonly document: ReportDocument | undefined
  /** the last time that was handled, in whichever way: epoch ms */
  readonly handled: number
}

/** What was sent of one run. */
export interface Sent {
  readonly center: string
  readonly report: string
  readonly slot: number
  readonly destinations: readonly string[]
  /** epoch ms */
  readonly asOf: number
  readonly missing: string | null
  readonly isCopy: boolean
  /** of each destination that is a folder, the file that was going to be written there last */
  readonly files?: Readonly<Record<string, FileMark>>
}

export interface Copies {
  /** identifies the folder, whichever process uses it; undefined if nothing is stored on the disk */
  readonly folder: string | undefined
  all(): readonly Copy[]
  get(report: string): Copy | undefined
  /** A document that is too long, or for which there is no space, is not stored; an earlier one stays. */
  put(copy: Copy): void
  /** Removes the document, and what is not about a report that exists. */
  forget(report: string): void
  /** What was sent and is not in the database yet. */
  sent(): readonly Sent[]
  sentOf(report: string, slot: number): Sent | undefined
  /** before anything else happens: a process that ends now must not send it again */
  noteSent(sent: Sent): void
  clearSent(report: string, slot: number): void
}

const FILE_BYTES_MAX = 4_000_000
const FOLDER_BYTES_MAX = 100_000_000
const COPY = '.copy.json'
const SENT = '.sent.json'

/** @param folder where it is stored; undefined: in memory only @throws if the folder cannot be used */
export function openCopies(folder: string | undefined): Copies {
  const copies = new Map<string, Copy>()
  const sentByRun = new Map<string, Sent>()
  const runOf = (report: string, slot: number) => `${report}-${slot}`
  let own: string | undefined

  const write = (name: string, value: unknown): boolean => {
    if (folder === undefined) return false
    const text = JSON.stringify(value)
    if (name.endsWith(COPY) && (text.length > FILE_BYTES_MAX || sizeOf(folder) > FOLDER_BYTES_MAX))
      return false
    const part = join(folder, `${name}.part`)
    writeFileSync(part, text, { mode: 0o600 })
    renameSync(part, join(folder, name))
    return true
  }
  const remove = (name: string) => {
    if (folder !== undefined) rmSync(join(folder, name), { force: true })
  }

  if (folder !== undefined) {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    chmodSync(folder, 0o700)
    for (const name of readdirSync(folder)) {
      if (name.endsWith('.part')) remove(name)
      const value = name.endsWith(COPY) || name.endsWith(SENT) ? readJson(join(folder, name)) : undefined
      if (value === undefined) continue
      if (name.endsWith(COPY)) copies.set((value as Copy).report.id, value as Copy)
      else sentByRun.set(name.slice(0, -SENT.length), value as Sent)
    }
    own = readId(folder) ?? randomUUID()
    writeFileSync(join(folder, 'id'), own, { mode: 0o600 })
  }

  return {
    folder: own,
    all: () => [...copies.values()],
    get: (report) => copies.get(report),
    put(copy) {
      copies.set(copy.report.id, copy)
      // Nobody may take an older document for this one.
      if (!write(copy.report.id + COPY, copy) && folder !== undefined) {
        const without = { ...copy, document: undefined }
        copies.set(copy.report.id, without)
        write(copy.report.id + COPY, without)
      }
    },
    forget(report) {
      copies.delete(report)
      remove(report + COPY)
    },
    sent: () => [...sentByRun.values()],
    sentOf: (report, slot) => sentByRun.get(runOf(report, slot)),
    noteSent(sent) {
      const run = runOf(sent.report, sent.slot)
      sentByRun.set(run, sent)
      write(run + SENT, sent)
    },
    clearSent(report, slot) {
      const run = runOf(report, slot)
      sentByRun.delete(run)
      remove(run + SENT)
    },
  }
}

function readId(folder: string): string | undefined {
  try {
    return /^[\w-]{36}$/.exec(readFileSync(join(folder, 'id'), 'utf8'))?.[0]
  } catch {
    return undefined
  }
}

/** A file that was cut off is none. */
function readJson(path: string): unknown {
  try {
    return JSON.parse(readFileSync(path, 'utf8'))
  } catch {
    return undefined
  }
}

const sizeOf = (folder: string): number =>
  readdirSync(folder).reduce(
    (sum, name) => sum + (statSync(join(folder, name), { throwIfNoEntry: false })?.size ?? 0),
    0,
  )
