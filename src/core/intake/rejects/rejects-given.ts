/** Detects a file of rejects where records are expected. Its name may be anything. */
import { InputError } from '../input-error.ts'
import { peek } from '../lines/read-bytes.ts'
import type { RecordLine } from '../lines/record-line.ts'
import type { Tables } from '../spreadsheets/tables/read-tables.ts'
import { cellText, type Row, type Table } from '../spreadsheets/tables/table.ts'
import { isObject } from './problems.ts'
import { INVALID, NOTHING_IMPORTED, notImported, REJECTED } from './reject-marks.ts'

/** The file contains rejects of an import. The caller may add how to import them. */
export class RejectsGiven extends InputError {
  readonly file: string
  constructor(file: string) {
    super(`${file} contains rejected records of an import; import it with --retry`)
    this.file = file
  }
}

/**
 * Checks the text before it is parsed as a table, because the mapping's delimiter and encoding need not be those of the
 * rejects.
 * @param name the file's name, for messages
 * @throws {InputError} also as RejectsGiven
 */
export async function* refuseRejectedText(
  bytes: AsyncIterable<Buffer>,
  name: string,
): AsyncGenerator<Buffer> {
  const [head, all] = await peek(bytes, HEAD_BYTES)
  refuse(markOfText(head.toString('latin1', 0, HEAD_BYTES)), name)
  yield* all
}

/** Checks the first row of each table. @throws {InputError} also as RejectsGiven */
export async function refuseRejectedRows(tables: Promise<Tables>, name: string): Promise<Tables> {
  const { table, ...more } = await tables
  const markOf = ({ cells }: Row) => MARKS.find((mark) => mark === cellText(cells[0]))
  const guarded = (index: number): Table => {
    const one = table(index)
    return { ...one, rows: unlessRejects(one.rows, markOf, name) }
  }
  return { ...more, table: guarded }
}

/** Checks the first line. @throws {InputError} also as RejectsGiven */
export const refuseRejectedLines = (lines: AsyncIterable<RecordLine>, name: string) =>
  unlessRejects(lines, ({ text = '' }) => markOfLine(text), name)

const MARKS = [REJECTED, INVALID] as const

type Mark = (typeof MARKS)[number] | undefined

/**
 * @throws {RejectsGiven}
 * @throws {InputError} if nothing of the original file was imported, so that correcting the rejects is of no use
 */
function refuse(mark: Mark, name: string): void {
  if (mark === REJECTED) throw new RejectsGiven(name)
  if (mark === INVALID) throw notImported(name)
}

async function* unlessRejects<T>(
  items: AsyncIterable<T>,
  markOf: (first: T) => Mark,
  name: string,
): AsyncGenerator<T> {
  let isFirst = true
  for await (const item of items) {
    if (isFirst) refuse(markOf(item), name)
    isFirst = false
    yield item
  }
}

/** Enough for a mark in UTF-8 or UTF-16, with or without a byte order mark. */
const HEAD_BYTES = 64

function markOfText(text: string): Mark {
  const plain = text.replaceAll(/[^\t\x20-\x7e]/g, '').replaceAll('"', '')
  return MARKS.find((mark) => plain.startsWith(mark) && /^[\t;,|]/.test(plain.slice(mark.length)))
}

function markOfLine(text: string): Mark {
  if (!/^\s*\{\s*"(?:file|line)"/.test(text)) return undefined
  try {
    const value: unknown = JSON.parse(text)
    if (!isObject(value) || !('record' in value) || !Array.isArray(value.reason)) return undefined
    return value[NOTHING_IMPORTED] === true ? INVALID : REJECTED
  } catch {
    return undefined
  }
}
