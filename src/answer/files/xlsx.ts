/**
 * Workbooks of Excel, a row at a time: the one file that knows the library that writes them.
 *
 * Whatever is a text is a text in the file, so nothing in it can be a formula, and telephone numbers and identifiers keep
 * their zeros. A cut file does not open: its directory is at its end.
 */
import { DAY_MS, daysOfLocalDate } from '../../locale/civil.ts'
import { Day, type TableCell } from './table.ts'

/** Rows of a sheet, the one with the headings among them. */
export const SHEET_ROWS_MAX = 1_048_576

export interface Sheet {
  readonly name: string
  readonly headings: readonly string[]
}

/** A short second sheet, whose name is that of the first with `_2`. */
export interface SecondSheet {
  /** number of rows of the first sheet, without its headings */
  readonly after: number
  /** with its headings */
  readonly rows: readonly (readonly TableCell[])[]
}

/** The bytes of a workbook with one sheet, and perhaps a second one, as they are asked for. */
export async function* xlsxBytes(
  { name, headings }: Sheet,
  rows: AsyncIterable<readonly TableCell[]>,
  second?: SecondSheet,
): AsyncGenerator<Uint8Array, void> {
  const columns = headings.map((header) => ({
    header: asText(header),
    width: Math.max(10, header.length + 2),
  }))
  // A megabyte of source, for those who ask for workbooks.
  const { writeXlsxStream } = await import('hucre/xlsx')
  // The library begins another sheet after so many rows, whatever the sheet, so a shorter first one gets empty rows.
  const firstRows = second === undefined ? SHEET_ROWS_MAX : Math.max(second.after + 1, second.rows.length, 2)
  yield* writeXlsxStream(asValues(second === undefined ? rows : withSecond(rows, second, firstRows - 1)), {
    name,
    columns,
    freezePane: { rows: 1 },
    maxRowsPerSheet: firstRows,
    repeatHeaders: second === undefined,
  })
}

async function* withSecond(
  rows: AsyncIterable<readonly TableCell[]>,
  second: SecondSheet,
  after: number,
): AsyncGenerator<readonly TableCell[]> {
  yield* rows
  for (let row = second.after; row < after; row += 1) yield []
  yield* second.rows
}

async function* asValues(rows: AsyncIterable<readonly TableCell[]>) {
  for await (const row of rows) yield row.map(asValue)
}

/** A day before it cannot be written as a date: the format counts a 29 February 1900 that there was not. */
const FIRST_DAY = '1900-03-01'

function asValue(cell: TableCell): string | number | boolean | Date | null {
  if (cell instanceof Day) {
    return cell.text < FIRST_DAY ? cell.text : new Date(daysOfLocalDate(cell.text) * DAY_MS)
  }
  return typeof cell === 'string' ? asText(cell) : cell
}

/** More than this Excel takes for a broken file. */
const TEXT_MAX = 32_767

/**
 * `_x0041_` would be read as the character that it is the code of, and two of Unicode's no characters are none of XML's.
 */
function asText(text: string): string {
  const written = /[_\uFFFE\uFFFF]/.test(text)
    ? text.replaceAll(/_(?=x[\dA-Fa-f]{4}_)/g, '_x005F_').replaceAll(/[\uFFFE\uFFFF]/g, '\uFFFD')
    : text
  return written.length <= TEXT_MAX ? written : `${written.slice(0, TEXT_MAX - 1)}…`
}
