/** Inspects a table of a file: where its header is, what its columns contain, and which fields they may be. */
import { findField, recordSchema } from '../csv-columns.ts'
import { type Cell, cellText, type Row, type Table } from '../tables/table.ts'
import { fieldNamed } from './column-names.ts'
import { clash, dateOrder, foldWord, ISO, readNumber } from './formats.ts'
import { columnNames } from './header.ts'
import { dateFormatsOf, HALVES, hasHalves, meaningOf } from './likeness.ts'
import { DIGITS, isDigits, listOfWords, toldByCells } from './told-by-cells.ts'

/** Enough rows to recognize formats. */
const ROWS_MAX = 5000
/** Characters of all rows together, so that rows of a megabyte each do not fill the memory. */
const SIGNS_MAX = 16 * 1024 * 1024
const WORDS_MAX = 12
/** A report may have a title and dates above its header. */
const ABOVE_MAX = 30

export interface LookedColumn {
  readonly name: string
  /** In words: `looks like DD.MM.YYYY`. */
  readonly form: string
  /** `times`, `decimals` or `booleans`, as a mapping declares them. */
  readonly says: Readonly<Record<string, unknown>>
  readonly dates: LookedDates | undefined
  readonly words: readonly string[]
  /** Whether all values differ. */
  readonly isUnique: boolean
  /** Whether every row has a value. */
  readonly isFilled: boolean
  /** Whether the values are yes or no. */
  readonly isFlag: boolean
  readonly field: string | undefined
  /** Whether the field was recognized by the cells, not by the column's name. */
  readonly isTold?: boolean
  /** The other column that already is this field. */
  readonly twin?: string
}

export interface LookedDates {
  /**
   * The formats that together read every date, except YYYY-MM-DD, which is always read; several alternatives if the
   * dates are ambiguous.
   */
  readonly ways: readonly (readonly string[])[]
  /** Whether days and months are in two orders, so that no mapping can read all dates. */
  readonly isMixed: boolean
  /** Whether each date has a time of day. */
  readonly hasTimes: boolean
}

export interface Look {
  readonly sheet: string | undefined
  /** The row of the header; undefined if it is the first row. */
  readonly header: number | undefined
  readonly columns: readonly LookedColumn[]
  readonly rows: number
  /** Whether there are more rows than were inspected. */
  readonly hasMore: boolean
}

/** @returns undefined for a table without rows */
export async function lookAtTable({ rows, sheet }: Table): Promise<Look | undefined> {
  const seen: Row[] = []
  let signs = 0
  let hasMore = false
  for await (const row of rows) {
    if (seen.length <= ROWS_MAX + ABOVE_MAX && signs < SIGNS_MAX) {
      seen.push(row)
      signs += row.cells.reduce<number>((sum, cell) => sum + 1 + cellText(cell).length, 0)
    } else {
      hasMore = true
      // The thread that reads a workbook must read a sheet to its end before it starts another.
      if (sheet === undefined) break
    }
  }
  const at = headerOf(seen)
  const header = seen[at]
  if (header === undefined) return undefined
  const below = seen.slice(at + 1)
  const names = columnNames(header.cells)
  const cells = names.map((_, column) => below.map((row) => row.cells[column]))
  const columns = toldByCells(
    names.map((name, column) => columnOf(name, cells[column] ?? [])),
    cells.map((column) => column.map(cellText)),
  )
  return { sheet, header: at === 0 ? undefined : header.number, columns, rows: below.length, hasMore }
}

const filled = ({ cells }: Row) => cells.filter((cell) => cellText(cell) !== '')

/** The first row that has about as many cells as most rows, all of which are names. */
function headerOf(rows: readonly Row[]): number {
  const widths = Map.groupBy(rows.slice(0, 200), (row) => filled(row).length)
  const [usual = 0] = [...widths].reduce<[number, number]>(
    (most, [width, { length }]) => (length > most[1] ? [width, length] : most),
    [0, 0],
  )
  const isName = (cell: Cell) =>
    typeof cell === 'string' && readNumber(cell) === undefined && dateFormatsOf(cell).length === 0
  const found = rows
    .slice(0, ABOVE_MAX)
    .findIndex((row) => filled(row).length >= usual * 0.7 && filled(row).every(isName))
  return Math.max(found, 0)
}

function columnOf(name: string, cells: readonly (Cell | undefined)[]): LookedColumn {
  const given = cells.filter((cell) => cellText(cell) !== '')
  const texts = given.map(cellText)
  const different = new Set(texts)
  const words = [...different].slice(0, WORDS_MAX + 1)
  const field = fieldNamed(name)
  const column = (form: string, more: Partial<LookedColumn> = {}): LookedColumn => ({
    name,
    form,
    says: {},
    dates: undefined,
    words,
    isUnique: different.size === texts.length,
    isFilled: given.length === cells.length,
    isFlag: false,
    field,
    ...more,
  })
  if (given.length === 0) return column('empty')
  if (takesFlags(field) && isDigits({ words })) return column('1 or 0', DIGITS)
  if (given.every((cell) => typeof cell === 'number')) return column('numbers')
  const dates = datesOf(different)
  if (dates !== undefined) {
    const times: LookedColumn['says'] = texts.some(hasHalves) ? { times: HALVES } : {}
    return column(datesForm(dates), { dates, says: times })
  }
  if (texts.every((text) => readNumber(text, '.') !== undefined)) return column('numbers')
  if (texts.every((text) => readNumber(text, ',') !== undefined)) {
    return column('numbers with a decimal comma', { says: { decimals: ',' } })
  }
  const meanings = words.map(meaningOf)
  if (meanings.every((means) => means !== undefined)) {
    const meaning = (wanted: boolean) => {
      const [first, ...others] = words.filter((_, at) => meanings[at] === wanted)
      return others.length === 0 ? (first ?? []) : [first, ...others]
    }
    const isNamed = words.some((word, at) => foldWord(word) !== String(meanings[at]))
    const booleans = { true: meaning(true), false: meaning(false) }
    return column('yes or no', { isFlag: true, says: isNamed ? { booleans } : {} })
  }
  const isOfList = field === 'booking.status' || field === 'booking.role'
  if (words.length > WORDS_MAX) return column('text')
  // Other words may be names of people, so they are not shown.
  return column(isOfList ? listOfWords(words) : `${words.length} different words`)
}

/** What the texts have in common as dates; undefined unless all are dates. */
function datesOf(texts: ReadonlySet<string>): LookedDates | undefined {
  const written: string[][] = []
  for (const text of texts) {
    const fitting = dateFormatsOf(text)
    if (fitting.length === 0) return undefined
    if (!fitting.includes(ISO)) written.push(fitting)
  }
  const hasTimes = [...texts].every((text) => text.includes(':') && !/[ T]00:00:00$/.test(text))
  const [first = [], ...others] = written
  const common = others.reduce((same, fitting) => same.filter((format) => fitting.includes(format)), first)
  if (written.length === 0) return { ways: [[]], isMixed: false, hasTimes }
  if (common.length > 0) return { ways: common.map((format) => [format]), isMixed: false, hasTimes }
  // Texts that only one format reads decide which formats occur, and the order of day and month in the others.
  const formats = new Set(written.filter(({ length }) => length === 1).flat())
  for (const fitting of written) {
    if (fitting.some((format) => formats.has(format))) continue
    const isAlike = (format: string) => [...formats].some((sure) => dateOrder(sure) === dateOrder(format))
    formats.add(fitting.find(isAlike) ?? fitting[0] ?? '')
  }
  const all = [...formats]
  return { ways: [all], isMixed: all.some((one) => all.some((other) => clash(one, other))), hasTimes }
}

function datesForm({ ways, isMixed }: LookedDates): string {
  const [first = []] = ways
  if (isMixed) return `dates in two orders, ${first.join(' in some rows and ')} in others`
  if (first.length === 0) return `looks like ${ISO}`
  return `looks like ${ways.map((formats) => formats.join(' and ')).join(' or ')}`
}

function takesFlags(field: string | undefined): boolean {
  const path = field?.startsWith('booking.') ? field.slice('booking.'.length) : ''
  return findField(recordSchema('booking'), path)?.schema.type?.includes('boolean') ?? false
}
