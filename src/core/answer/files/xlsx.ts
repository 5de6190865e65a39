/**
 * Workbooks of Excel, a row at a time: the one file that knows the library that writes them.
 *
 * Whatever is a text is a text in the file, so nothing in it can be a formula, and telephone numbers and identifiers keep
 * their zeros. A cut file does not open: its directory is at its end.
 */
import type { CellStyle, ColumnDef } from 'hucre/xlsx'
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

/** Rows by which the widths of columns are known: all of a report, and enough of a list. */
const SEEN_ROWS = 200
/** In characters. A wider column would hide the columns behind it. */
const WIDTH = { min: 10, max: 60 } as const

/** The bytes of a workbook with one sheet, and perhaps a second one, as they are asked for. */
export async function* xlsxBytes(
  { name, headings }: Sheet,
  rows: AsyncIterable<readonly TableCell[]>,
  second?: SecondSheet,
): AsyncGenerator<Uint8Array, void> {
  const iterator = rows[Symbol.asyncIterator]()
  try {
    const seen: (readonly TableCell[])[] = []
    for (let next = await iterator.next(); !next.done; next = await iterator.next()) {
      seen.push(next.value)
      if (seen.length === SEEN_ROWS) break
    }
    const columns: ColumnDef[] = headings.map((heading, at) => ({
      width: widthOf([heading, ...seen.map((row) => row[at] ?? null)]),
    }))
    // A megabyte of source, for those who ask for workbooks.
    const { writeXlsxStream } = await import('hucre/xlsx')
    // The library begins a new sheet after a fixed number of rows, so a short first sheet gets empty rows.
    const firstRows =
      second === undefined ? SHEET_ROWS_MAX : Math.max(second.after + 1, second.rows.length, 2)
    const written = writtenRows({ headings, seen, iterator, second, firstRows, columns })
    yield* writeXlsxStream(written, {
      name,
      columns,
      freezePane: { rows: 1 },
      maxRowsPerSheet: firstRows,
      repeatHeaders: second === undefined,
    })
  } finally {
    await iterator.return?.()
  }
}

interface Written {
  readonly headings: readonly string[]
  /** rows that were read to know the widths, and what has the others */
  readonly seen: readonly (readonly TableCell[])[]
  readonly iterator: AsyncIterator<readonly TableCell[]>
  readonly second: SecondSheet | undefined
  readonly firstRows: number
  readonly columns: ColumnDef[]
}

/** The library has a style for a column only, and asks for a row once it has written the one before: so each row sets its own. */
async function* writtenRows({ headings, seen, iterator, second, firstRows, columns }: Written) {
  const styled = (
    cells: readonly TableCell[],
    styleOf: (cell: TableCell, at: number) => CellStyle | undefined,
  ) => {
    for (const [at, column] of columns.entries()) {
      const style = styleOf(cells[at] ?? null, at)
      if (style === undefined) delete column.style
      else column.style = style
    }
    return cells.map(asValue)
  }
  const head = (cells: readonly TableCell[]) => styled(cells, () => BOLD)
  const areAmounts = headings.map((_, at) => seen.some((row) => hasCents(row[at] ?? null)))
  const body = (cells: readonly TableCell[]) =>
    styled(cells, (cell, at) => (areAmounts[at] && isAmount(cell) ? AMOUNT : undefined))
  let count = 0
  if (headings.length > 0) yield head(headings)
  for (const row of seen) {
    count += 1
    yield body(row)
  }
  for (let next = await iterator.next(); !next.done; next = await iterator.next()) {
    count += 1
    yield body(next.value)
  }
  if (second === undefined) return
  for (; count < firstRows - 1; count += 1) yield []
  const [first, ...others] = second.rows
  if (first !== undefined) yield head(first)
  for (const row of others) yield styled(row, () => undefined)
}

const BOLD: CellStyle = { font: { bold: true } }
/** With the separators of the program that opens it. */
const AMOUNT: CellStyle = { numFmt: '#,##0.00' }

/** A column in which a number has one or two decimals has amounts. A number with more keeps all of them. */
const hasCents = (cell: TableCell): boolean => typeof cell === 'number' && /\.\d{1,2}$/.test(String(cell))
const isAmount = (cell: TableCell): boolean =>
  typeof cell === 'number' && /^-?\d+(?:\.\d{1,2})?$/.test(String(cell))

/** Of the longest text, in characters. A date has ten. */
const widthOf = (cells: readonly TableCell[]): number => {
  const longest = Math.max(...cells.map((cell) => (cell instanceof Day ? 10 : String(cell ?? '').length)))
  return Math.min(WIDTH.max, Math.max(WIDTH.min, longest + 2))
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
