/** Reads a file as tables, whatever its format: the sheets of a workbook, or the only table of a CSV file. */
import { InputError } from '../../input-error.ts'
import { peek } from '../../lines/read-bytes.ts'
import { type CsvForm, type CsvOptions, readCsvRows } from './csv-rows.ts'
import { HEAD_BYTES, otherFormat } from './not-tables.ts'
import type { Table } from './table.ts'
import { isOldExcel, isZip, openWorkbook } from './workbook.ts'

export interface Tables {
  /** The names of the sheets; undefined for a CSV file. */
  readonly sheets: readonly string[] | undefined
  /** Sheets that are hidden in the file. They are read only if a mapping names them. */
  readonly hidden: ReadonlySet<string>
  /** Whether the file is a binary workbook, in which nothing that is hidden can be seen. */
  readonly isBinary?: boolean
  /** A table by its position, counted from 0. */
  table(index: number): Table
  close(): Promise<void>
}

export interface TablesOptions {
  readonly onForm?: (form: CsvForm) => void
  /** Ends the wait for other files that are read. */
  readonly signal?: AbortSignal | undefined
}

/**
 * @param name the file's name, for messages
 * @throws {InputError} if it is not a file that can be read
 */
export async function readTables(
  bytes: AsyncIterable<Buffer>,
  name: string,
  options: CsvOptions & TablesOptions = {},
): Promise<Tables> {
  const [head, all] = await peek(bytes, HEAD_BYTES)
  const isWorkbook = isZip(head) || isOldExcel(head)
  const other = isWorkbook ? undefined : otherFormat(head)
  if (other !== undefined) throw new InputError(`${name} ${other}`)
  if (!isWorkbook) {
    const rows = readCsvRows(all, name, options, options.onForm)
    return { sheets: undefined, hidden: new Set(), table: () => ({ rows }), async close() {} }
  }
  const workbook = await openWorkbook(all, name, { signal: options.signal })
  return {
    sheets: workbook.sheets,
    hidden: workbook.hidden,
    isBinary: workbook.isBinary,
    table: (index) => ({ sheet: workbook.sheets[index] ?? '', rows: workbook.rows(index) }),
    close: workbook.close,
  }
}
