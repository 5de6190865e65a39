/** The work of the thread that `preview-thread.ts` starts. */
import { createReadStream } from 'node:fs'
import { basename } from 'node:path'
import { parentPort, workerData } from 'node:worker_threads'
import { InputError } from '../input-error.ts'
import { columnsOf } from '../lines/csv-columns.ts'
import { kindOfName } from '../lines/read-record-rows.ts'
import type { SpoolSource } from '../lines/spool.ts'
import { mentions } from '../references/mentions.ts'
import {
  addTable,
  answerQuestion,
  describeFile,
  mappingWithoutWords,
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
} from '../spreadsheets.ts'
import type { Answer, ChangeRequest, FilePreview, PreviewRequest, Request } from './preview-thread.ts'

const PROPOSED = 'mapping'

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

async function look(request: PreviewRequest): Promise<FilePreview> {
  const found = await lookFor(request)
  if (found.mapping === undefined) return found
  const { name, body } = found.mapping
  return { ...found, parsed: { tree: readTree(body, name), questions: questionsOf(body, name) } }
}

async function lookFor({ source, name, now, stored, chosen, sheet }: PreviewRequest): Promise<FilePreview> {
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

const answer = (message: Answer<unknown>) => parentPort?.postMessage(message)
workOn(workerData).then(
  (found) => answer({ found }),
  (error: unknown) =>
    answer(
      error instanceof InputError
        ? { refused: error.message }
        : { failed: error instanceof Error ? error.name : 'unknown' },
    ),
)
