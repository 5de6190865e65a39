/**
 * Looks at a file in a thread of its own: whether a stored mapping reads it, or which mapping is proposed. Looking takes
 * seconds of computing without a break, in which a service would answer nobody.
 */
import { createReadStream } from 'node:fs'
import { basename } from 'node:path'
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads'
import { columnsOf } from './csv-columns.ts'
import { InputError } from './input-error.ts'
import { kindOfName } from './read-record-rows.ts'
import type { SpoolSource } from './spool.ts'
import {
  describeFile,
  propose,
  readMapping,
  readsAll,
  type SpreadsheetFile,
  type TableDescription,
  type Trial,
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
}

export interface FileLook {
  /** undefined if the columns are named as fields are, so that no mapping is needed */
  readonly mapping: { readonly name: string; readonly body: string; readonly isStored: boolean } | undefined
  readonly tables: readonly TableDescription[]
  /** of a proposal */
  readonly trial?: Pick<Trial, 'guests' | 'refused' | 'preview' | 'withoutBooking'>
}

/** Of V8, in MB. A workbook has a thread of its own below this one. */
const MEMORY = { maxOldGenerationSizeMb: 768 }
const MS_MAX = 300_000
const PROPOSED = 'mapping'

type Answer = { readonly look: FileLook } | { readonly refused: string } | { readonly failed: string }

/** @throws {InputError} if the file cannot be read; what the signal says, if it is aborted */
export async function lookAtFile(request: LookRequest, signal: AbortSignal): Promise<FileLook> {
  signal.throwIfAborted()
  const worker = new Worker(new URL(import.meta.url), {
    workerData: { looks: request },
    resourceLimits: MEMORY,
    // Node's type stripping prints a warning that it is experimental.
    execArgv: ['--disable-warning=ExperimentalWarning'],
  })
  const ended = Promise.withResolvers<Answer>()
  worker.once('message', (answer: Answer) => ended.resolve(answer))
  worker.once('error', (error: Error & { code?: string }) =>
    ended.resolve(
      error.code === 'ERR_WORKER_OUT_OF_MEMORY'
        ? { refused: `${request.name} takes too much memory to read; divide it, or export it as CSV` }
        : { failed: error.message },
    ),
  )
  const stop = () => ended.reject(signal.reason)
  signal.addEventListener('abort', stop, { once: true })
  const timer = setTimeout(
    () =>
      ended.resolve({ refused: `${request.name} takes too long to read; divide it, or export it as CSV` }),
    MS_MAX,
  )
  try {
    const answer = await ended.promise
    if ('refused' in answer) throw new InputError(answer.refused)
    if ('failed' in answer) throw new Error(answer.failed)
    return answer.look
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', stop)
    await worker.terminate()
  }
}

async function look({ source, name, now, stored, chosen }: LookRequest): Promise<FileLook> {
  const at = new Date(now)
  const file = (mappingName: string): SpreadsheetFile => ({
    open: async () => bytesOf(source),
    name,
    isPacked: false,
    mappingName,
  })
  if (chosen !== undefined) {
    const mapping = readMapping(chosen.body, chosen.name, { now: at, isTrial: true })
    return {
      mapping: {
        ...chosen,
        isStored: stored.some((one) => one.name === chosen.name && one.body === chosen.body),
      },
      tables: await describeFile(file(chosen.name), mapping, at),
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

const request: LookRequest | undefined = isMainThread ? undefined : workerData?.looks
if (request !== undefined) {
  const answer = (message: Answer) => parentPort?.postMessage(message)
  look(request).then(
    (found) => answer({ look: found }),
    (error: unknown) =>
      answer(
        error instanceof InputError
          ? { refused: error.message }
          : { failed: error instanceof Error ? error.name : 'unknown' },
      ),
  )
}
