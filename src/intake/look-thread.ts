/**
 * Looks at a file in a thread of its own: whether a stored mapping reads it, or which mapping is proposed; and changes a mapping,
 * also for an erasure.
 * Looking takes seconds of computing without a break, and parsing the YAML of a mapping half a second, in which a service would
 * answer nobody.
 */
import { createReadStream } from 'node:fs'
import { basename } from 'node:path'
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads'
import { Mutex } from '../database/mutex.ts'
import { columnsOf } from './csv-columns.ts'
import { InputError } from './input-error.ts'
import { mentions } from './mentions.ts'
import { kindOfName } from './read-record-rows.ts'
import { readingMemory } from './reading-memory.ts'
import { takeSlot } from './reading-slot.ts'
import type { SpoolSource } from './spool.ts'
import {
  type AskedQuestion,
  addTable,
  answerQuestion,
  describeFile,
  mappingWithoutWords,
  type ProposedMapping,
  propose,
  questionsOf,
  readMapping,
  readsAll,
  readTree,
  removeTable,
  type SpreadsheetFile,
  setColumn,
  setMeanings,
  type TableDescription,
  type TreeNode,
  type Trial,
  type WordMeaning,
} from './spreadsheets.ts'

export interface LookRequest {
  readonly source: SpoolSource
  readonly name: string
  /** epoch ms */
  readonly now: number
  /** Those of the center, the newest first. */
  readonly stored: readonly { readonly name: string; readonly body: string }[]
  /** The mapping that the person chose, which needs no search. */
  readonly chosen?: { readonly name: string; readonly body: string } | undefined
  /** A sheet that the mapping is to read, too. */
  readonly sheet?: string | undefined
}

export interface FileLook {
  /** undefined if the columns are named as fields are, so that no mapping is needed */
  readonly mapping: { readonly name: string; readonly body: string; readonly isStored: boolean } | undefined
  /** The mapping as it was parsed, and its questions. */
  readonly parsed?: { readonly tree: TreeNode; readonly questions: readonly AskedQuestion[] } | undefined
  readonly tables: readonly TableDescription[]
  /** what was proposed, for the whole file or for a sheet: its texts by what they are in English, and its tables */
  readonly proposed?: Pick<ProposedMapping, 'says' | 'tables'>
  readonly trial?: Pick<Trial, 'guests' | 'refused' | 'preview' | 'withoutBooking'>
}

const MS_MAX = 300_000
const PROPOSED = 'mapping'

/** What a page says about a mapping. */
export type MappingChange =
  | { readonly is: 'mapping'; readonly name: string; readonly body: string }
  | { readonly is: 'withoutTable'; readonly table: number }
  | { readonly is: 'meanings'; readonly meanings: readonly WordMeaning[] }
  | { readonly is: 'answer'; readonly table: number; readonly question: number; readonly answer: string }
  | ({ readonly is: 'column' } & Parameters<typeof setColumn>[2])

interface ChangeRequest {
  readonly before: { readonly name: string; readonly body: string } | undefined
  readonly change: MappingChange
}

interface ForgetRequest {
  readonly body: string
  /** of an erased person, lower case */
  readonly terms: readonly string[]
}

type Request =
  | { readonly looks: LookRequest }
  | { readonly changes: ChangeRequest }
  | { readonly forgets: ForgetRequest }
type Answer<Found> = { readonly found: Found } | { readonly refused: string } | { readonly failed: string }

/** @throws {InputError} if the file cannot be read; what the signal says, if it is aborted */
export async function lookAtFile(request: LookRequest, signal: AbortSignal): Promise<FileLook> {
  const release = await takeSlot(request.name, { signal })
  return await inThread<FileLook>({ looks: request }, request.name, signal).finally(release)
}

/** Mappings are changed one after the other in the whole process. */
export const changingMappings = new Mutex()

/** For one who holds `changingMappings`. @throws {InputError} if it would not be a mapping any more; what the signal says, if it is aborted */
export const changeMapping = (
  request: ChangeRequest,
  signal: AbortSignal,
): Promise<{ readonly name: string; readonly body: string }> =>
  inThread({ changes: request }, 'The mapping', signal)

/** A stored mapping without the words of diets that name an erased person. */
export const forgetInMapping = (request: ForgetRequest): Promise<string> =>
  changingMappings.run(() => inThread({ forgets: request }, 'The mapping'))

/** @param name for messages */
async function inThread<Found>(request: Request, name: string, signal?: AbortSignal): Promise<Found> {
  signal?.throwIfAborted()
  const worker = new Worker(new URL(import.meta.url), {
    workerData: request,
    resourceLimits: { maxOldGenerationSizeMb: readingMemory().lookMb },
    // Node's type stripping prints a warning that it is experimental.
    execArgv: ['--disable-warning=ExperimentalWarning'],
  })
  const ended = Promise.withResolvers<Answer<Found>>()
  worker.once('message', (answer: Answer<Found>) => ended.resolve(answer))
  worker.once('error', (error: Error & { code?: string }) =>
    ended.resolve(
      error.code === 'ERR_WORKER_OUT_OF_MEMORY'
        ? { refused: `${name} takes too much memory to read; divide it, or export it as CSV` }
        : { failed: error.name },
    ),
  )
  const stop = () => ended.reject(signal?.reason)
  signal?.addEventListener('abort', stop, { once: true })
  const timer = setTimeout(
    () => ended.resolve({ refused: `${name} takes too long to read; divide it, or export it as CSV` }),
    MS_MAX,
  )
  try {
    const answer = await ended.promise
    if ('refused' in answer) throw new InputError(answer.refused)
    if ('failed' in answer) throw Object.assign(new Error('a thread failed'), { name: answer.failed })
    return answer.found
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener('abort', stop)
    await worker.terminate()
  }
}

function change({ before, change }: ChangeRequest): { readonly name: string; readonly body: string } {
  const changed = (text: string, name: string) => {
    if (change.is === 'answer') return answerQuestion(text, name, change)
    if (change.is === 'meanings') return setMeanings(text, name, change.meanings)
    if (change.is === 'withoutTable') return removeTable(text, name, change.table)
    return change.is === 'column' ? setColumn(text, name, change) : text
  }
  const { name, body } = change.is === 'mapping' ? change : (before ?? { name: PROPOSED, body: '' })
  const found = { name, body: changed(body, name) }
  readMapping(found.body, name, { isTrial: true })
  return found
}

async function look(request: LookRequest): Promise<FileLook> {
  const found = await lookFor(request)
  if (found.mapping === undefined) return found
  const { name, body } = found.mapping
  return { ...found, parsed: { tree: readTree(body, name), questions: questionsOf(body, name) } }
}

async function lookFor({ source, name, now, stored, chosen, sheet }: LookRequest): Promise<FileLook> {
  const at = new Date(now)
  const file = (mappingName: string): SpreadsheetFile => ({
    open: async () => bytesOf(source),
    name,
    isPacked: false,
    mappingName,
  })
  if (chosen !== undefined) {
    const proposed = sheet === undefined ? undefined : await propose(file(PROPOSED), at, sheet)
    const { name } = chosen
    const body = proposed === undefined ? chosen.body : addTable(chosen.body, name, proposed.mapping)
    const mapping = readMapping(body, name, { now: at, isTrial: true })
    return {
      mapping: {
        name,
        body,
        isStored: stored.some((one) => one.name === name && one.body === body),
      },
      tables: await describeFile(file(name), mapping, at),
      ...(proposed && { proposed: { says: proposed.says, tables: proposed.tables } }),
    }
  }
  if (stored.length > 0) {
    const plain = await describeFile(file(PROPOSED), undefined, at)
    for (const { name: storedName, body } of stored) {
      const mapping = readMapping(body, storedName, { now: at })
      if (!readsAll(plain, mapping)) continue
      return {
        mapping: { name: storedName, body, isStored: true },
        tables: await describeFile(file(storedName), mapping, at),
      }
    }
  }
  const proposed = await propose(file(PROPOSED), at)
  if (isRecords(name, proposed.tables)) return { mapping: undefined, tables: proposed.tables }
  const { guests, refused, preview, withoutBooking } = proposed.trial
  return {
    mapping: { name: PROPOSED, body: proposed.mapping, isStored: false },
    tables: proposed.tables,
    proposed: { says: proposed.says, tables: proposed.tables },
    trial: { guests, refused, preview, withoutBooking },
  }
}

/** Whether the file, or each of its sheets, is named after a kind and has its fields as headings. */
function isRecords(name: string, tables: readonly TableDescription[]): boolean {
  const stem = basename(name).replace(/\.[^.]*$/, '')
  return (
    tables.length > 0 &&
    tables.every(({ sheet, columns }) => {
      const kind = kindOfName(sheet ?? stem)
      if (kind === undefined) return false
      try {
        columnsOf(
          kind,
          columns.map((column) => column.name),
          name,
        )
        return true
      } catch {
        return false
      }
    })
  )
}

async function* bytesOf({ fd, rest }: SpoolSource): AsyncGenerator<Buffer> {
  if (fd !== undefined)
    yield* createReadStream('', { fd, start: 0, autoClose: false }) as AsyncIterable<Buffer>
  if (rest.byteLength > 0) yield Buffer.from(rest)
}

async function workOn(request: Request): Promise<unknown> {
  if ('looks' in request) return look(request.looks)
  if ('changes' in request) return change(request.changes)
  const { body, terms } = request.forgets
  return mappingWithoutWords(body, (word) => mentions(word, terms))
}

const request: Request | undefined = isMainThread ? undefined : workerData
if (request !== undefined && ('looks' in request || 'changes' in request || 'forgets' in request)) {
  const answer = (message: Answer<unknown>) => parentPort?.postMessage(message)
  workOn(request).then(
    (found) => answer({ found }),
    (error: unknown) =>
      answer(
        error instanceof InputError
          ? { refused: error.message }
          : { failed: error instanceof Error ? error.name : 'unknown' },
      ),
  )
}
