/** The answer of any saved query, as a link has it: a list as one table, anything else as names and values. */
import { Readable } from 'node:stream'
import { setImmediate as othersFirst } from 'node:timers/promises'
import { parse } from 'csv-parse'
import { spreadsheetDialect, writtenText } from '../../../core/answer/files/csv.ts'
import type { Operation } from '../../../core/request/operation.ts'
import { writtenDay } from '../../../documents/days.ts'
import { askedOn, readQuestion } from '../../links/question.ts'
import type { FileCell, ReportDocument } from './document.ts'
import { type AgeKind, finishDocument, type Making, startWriting } from './writing.ts'

export interface QueryMaking extends Making {
  /** as it is stored */
  readonly question: string
  /** the report's name, which is its heading */
  readonly name: string
  readonly operations: readonly Operation[]
}

const AGES: Readonly<Record<string, readonly AgeKind[]>> = {
  orders: ['orders'],
  sessions: ['sessions'],
  contradictions: ['bookings', 'orders'],
}

/** Of a report's own format. */
const OWN = ['format', 'start', 'length']
/** As it is read here, whatever the language. */
const READ = { format: 'csv', delimiter: 'comma', decimal: 'point', bom: 'false' }

/** @throws {AskRefused | AskUnavailable} */
export async function queryList(making: QueryMaking): Promise<ReportDocument> {
  const writing = startWriting(making)
  const { language, day, ask, t } = writing
  const { name, operations } = making
  const question = readQuestion(making.question, operations)
  if (question === undefined) throw new Error('the path of a saved query is no longer one')
  for (const parameter of OWN) question.query.delete(parameter)
  const isTable = question.operation.formats?.includes('csv') === true
  for (const [parameter, value] of Object.entries(READ)) {
    if (isTable && parameter in question.operation.parameters) question.query.set(parameter, value)
    else question.query.delete(parameter)
  }
  const moved = askedOn(question, day)
  const path = question.operation.paths[0].replaceAll(/\{(\w+)\}/g, (_, key: string) =>
    encodeURIComponent(moved.pathParameters[key] ?? ''),
  )
  const asked = await ask(moved.query === '' ? path : `${path}?${moved.query}`, language)
  const { headings, cells } = isTable
    ? await tableOf(asked.body)
    : { headings: ['name', 'value'], cells: flattened('', JSON.parse(asked.body)) }
  const { decimal } = spreadsheetDialect(language)
  const [, kind = ''] = path.split('/')
  return finishDocument(writing, {
    heading: [name, writtenDay(day, language)],
    page: name,
    ages: AGES[kind] ?? ['bookings'],
    asked,
    blocks:
      cells.length === 0
        ? [{ kind: 'paragraph', style: 'notice', text: t('none') }]
        : [
            {
              kind: 'table',
              caption: name,
              headings,
              rows: cells.map((row) => ({ cells: row.map((cell) => readable(cell, decimal)) })),
            },
          ],
    file: { name: kind, headings, rows: cells },
  })
}

/** A piece takes a few milliseconds. */
const PIECE_BYTES = 65_536

/** Reads CSV in pieces: a list of all guests takes a quarter of a second, and others are answered in between. */
async function tableOf(text: string): Promise<{ headings: string[]; cells: FileCell[][] }> {
  const bytes = Buffer.from(text)
  async function* pieces() {
    for (let at = 0; at < bytes.length; at += PIECE_BYTES) {
      yield bytes.subarray(at, at + PIECE_BYTES)
      await othersFirst()
    }
  }
  let headings: string[] | undefined
  const cells: FileCell[][] = []
  const rows: AsyncIterable<string[]> = Readable.from(pieces()).pipe(parse({ relax_column_count: true }))
  for await (const row of rows) {
    if (headings === undefined) headings = row
    else cells.push(row.map(cellOf))
  }
  return { headings: headings ?? [], cells }
}

/** A number as it was written is one again. A text that only has digits was written so that it stays a text. */
function cellOf(written: string): FileCell {
  const number = Number(written)
  return written !== '' && String(number) === written ? number : writtenText(written)
}

const readable = (cell: FileCell, decimal: string): string =>
  typeof cell === 'number' ? String(cell).replace('.', decimal) : String(cell ?? '')

/** `key.name`, `"Anna"` for each value of a JSON document. */
function flattened(path: string, value: unknown): string[][] {
  if (value === null || typeof value !== 'object') return [[path, value === null ? '' : String(value)]]
  const entries = Object.entries(value)
  if (entries.length === 0) return [[path, '']]
  return entries.flatMap(([key, one]) => flattened(path === '' ? key : `${path}.${key}`, one))
}
