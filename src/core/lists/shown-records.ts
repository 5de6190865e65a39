/** What a list shows of the rows of its statements: a page, all records, and a file. */
import type { Sql } from 'sql-template-tag'
import type { AskedFile } from '../answer/files/file-parameters.ts'
import type { Column, FileRecord } from '../answer/files/table.ts'
import { writeFile } from '../answer/files/write-file.ts'
import type { ListedForm, RecordType } from '../records/record.ts'
import type { RecordContext } from '../records/record-parts.ts'
import type { Answer, FilePlan, Manifest, Rows } from '../request/operation.ts'
import type { Page } from '../request/paging.ts'
import type { Sliced } from '../request/slices.ts'

/** How a list is a table. */
export interface ListTable {
  readonly columns: readonly Column[]
  /**
   * The rows of a record; several, or none, only if `hasSeveralRows`.
   * @param inTable the value of `ShownInAddition.inTable`
   */
  rows(record: FileRecord, inTable?: unknown): readonly FileRecord[]
  readonly hasSeveralRows: boolean
}

/** The records of a request. */
export interface ShownRecords {
  readonly record: RecordType
  readonly form: ListedForm
  readonly context: RecordContext
}

/** Fewer cost round trips; more cost memory, and time in which no other request is served. */
export const ROWS_PER_CHUNK = 100

/** @param rows of a statement whose rows begin with the revision and end with the total, of which there is always one */
export function presentPage({ record, form, context }: ShownRecords, found: Rows, page: Page): Answer {
  const [first] = found
  const total = first?.at(-1) as number
  const rows = found.filter(record.isRecord)
  return {
    body: form.listJson(rows, context, DATA, Buffer.from(`],"total":${total}}`)),
    page: { ...page, total },
    revision: (first?.[0] ?? 0) as number,
    records: { count: rows.length, ids: rows.map(record.idOf) },
  }
}

/** @param size records of a slice */
export function* presentAll(
  { record, form, context }: ShownRecords,
  rows: Rows,
  size: number,
): Sliced<Answer> {
  const pieces: Buffer[] = []
  for (let at = 0; at < rows.length; at += size) {
    if (at > 0) yield
    pieces.push(form.listJson(rows.slice(at, at + size), context, at === 0 ? LIST : COMMA))
  }
  pieces.push(rows.length === 0 ? EMPTY : END)
  return {
    body: pieces,
    revision: rows[0]?.[0] as number | undefined,
    records: { count: rows.length, ids: rows.map(record.idOf) },
  }
}

/** A streamed list in pieces. @param size records of each */
export async function* inPieces(
  { form, context }: ShownRecords,
  chunks: AsyncIterable<Rows>,
  size: number,
): AsyncGenerator<Buffer> {
  let before = LIST
  for await (const rows of chunks) {
    for (let at = 0; at < rows.length; at += size) {
      yield form.listJson(rows.slice(at, at + size), context, before)
      before = COMMA
    }
  }
  yield before === LIST ? EMPTY : END
}

/** The whole list as a file. @param table if it is not a row for each record with what the record has */
export function fileOf(
  { record, form, context }: ShownRecords,
  file: AskedFile,
  statement: Sql,
  table?: ListTable,
): Pick<FilePlan, 'rowsPerChunk' | 'reading'> & {
  readonly isNamed: false
  readonly hasSeveralRows: boolean
} {
  const columns = table?.columns ?? form.columns
  const written = { name: record.table, columns, zone: context.center.timezone }
  const rowsOf = file.format === 'ndjson' ? undefined : table?.rows
  const hasSeveralRows = table?.hasSeveralRows === true

  async function* records(chunks: AsyncIterable<Rows>): AsyncGenerator<readonly FileRecord[]> {
    for await (const rows of chunks) {
      const some: FileRecord[] = JSON.parse(form.listJson(rows, context, LIST, END).toString())
      yield rowsOf === undefined ? some : some.flatMap((one, at) => rowsOf(one, rows[at]?.[record.width]))
    }
  }
  return {
    isNamed: false,
    hasSeveralRows,
    rowsPerChunk: ROWS_PER_CHUNK,
    reading: () => ({
      statement,
      write: (chunks: AsyncIterable<Rows>, manifest: Manifest) =>
        writeFile(file, written, records(chunks), manifest, hasSeveralRows),
    }),
  }
}

const DATA = Buffer.from('{"data":[')
const LIST = Buffer.from('[')
const COMMA = Buffer.from(',')
const END = Buffer.from(']')
const EMPTY = Buffer.from('[]')
