/** A document as a table file: its one table with stable headings, written as answers are. */
import { BYTE_ORDER_MARK, csvLine, spreadsheetDialect } from '../../../core/answer/files/csv.ts'
import { Day, type TableCell } from '../../../core/answer/files/table.ts'
import { xlsxBytes } from '../../../core/answer/files/xlsx.ts'
import { isLocalDate } from '../../../core/locale/dates.ts'
import type { Language } from '../../../core/locale/languages.ts'
import type { FileCell, ReportDocument } from './document.ts'

/** As a spreadsheet of the language opens it. */
export function renderCsv({ file }: ReportDocument, language: Language): string {
  const dialect = spreadsheetDialect(language)
  const rows = file.rows.map((row) => csvLine(row.map(cellOf), dialect, true))
  return BYTE_ORDER_MARK + csvLine(file.headings, dialect) + rows.join('')
}

const cellOf = (cell: FileCell): TableCell =>
  typeof cell === 'string' && isLocalDate(cell) ? new Day(cell) : cell

/** With a second sheet that says when the data was read, and how old it was. */
export async function renderXlsx(
  { file, asOfText, ages, title }: ReportDocument,
  copy?: string,
): Promise<Buffer> {
  async function* rows() {
    for (const row of file.rows) yield row.map(cellOf)
  }
  const remarks = [
    [title],
    [asOfText],
    ...ages.map(({ text }) => [text]),
    ...(copy === undefined ? [] : [[copy]]),
  ]
  const second = { after: file.rows.length, rows: remarks }
  const chunks: Uint8Array[] = []
  for await (const chunk of xlsxBytes({ name: file.name, headings: file.headings }, rows(), second)) {
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}
