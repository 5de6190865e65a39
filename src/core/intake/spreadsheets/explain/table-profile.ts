/** Looks at a table of a file: where its headings are, which rows are none of its records, and what its columns are. */

import { addressesIn } from '../mapping/email-addresses.ts'
import { columnNames, letterOf } from '../mapping/header.ts'
import { readNumber } from '../mapping/numbers.ts'
import { dateFormatsOf } from '../mapping/written-forms.ts'
import { type Cell, cellText, type Row, type Table, valueText } from '../tables/table.ts'
import { type Assigned, assignFields, isRowNumbers } from './evidence.ts'
import { foldHeading, isKnownHeading } from './headings.ts'
import { type Profile, profileOf } from './profile.ts'

/** Enough rows to recognize formats. All rows are tried afterwards. */
const ROWS_MAX = 5000
/** Characters of all rows together, so that rows of a megabyte each do not fill the memory. */
const SIGNS_MAX = 16 * 1024 * 1024
/** A report may have a title and dates above its headings. */
const ABOVE_MAX = 30

export interface Look {
  readonly sheet: string | undefined
  /** The row of the headings, counted from 1; 0 if there is none; undefined if it is the first row of the file. */
  readonly header: number | undefined
  readonly columns: readonly Assigned[]
  /** The rows below the headings that were looked at, without the strays. The texts of a column's profile are theirs. */
  readonly rows: readonly Row[]
  /** Rows that are no guests: titles of months, sums, and headings that are repeated on each printed page. */
  readonly strays: readonly Stray[]
  /** Whether there are more rows than were looked at. */
  readonly hasMore: boolean
  /** The positions of columns that the program that wrote the file does not show. */
  readonly hiddenColumns: readonly number[]
  /** Whether that program does not show the sheet. */
  readonly isHidden?: true
}

export interface Stray {
  readonly row: Row
  readonly isHeading: boolean
}

/** @returns undefined for a table without rows */
export async function profileTable({ rows, sheet }: Table, today: string): Promise<Look | undefined> {
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
  const [first] = seen
  if (first === undefined) return undefined
  const at = headerOf(seen)
  const header = at === undefined ? undefined : seen[at]
  const below = header === undefined || at === undefined ? seen : seen.slice(at + 1)
  const width = below.reduce((most, { cells }) => Math.max(most, cells.length), header?.cells.length ?? 0)
  const names =
    header === undefined
      ? Array.from({ length: width }, (_, column) => letterOf(column))
      : columnNames(header.cells)
  const headings = new Set(below.filter((row) => header !== undefined && isSameHeadings(row, names)))
  const others = below.filter((row) => !headings.has(row))
  // Without the short rows it is known which columns a guest has; then, which short rows are guests.
  const short = shortRows(others)
  const known = columnsOf(
    names,
    others.filter((row) => !short.has(row)),
    today,
  )
  const strays = straysOf(others, known, short)
  const rowsOfGuests = others.filter((row) => !strays.has(row))
  return {
    sheet,
    header: header === undefined ? 0 : header.number === 1 && at === 0 ? undefined : header.number,
    columns: isSameRows(short, strays) ? known : columnsOf(names, rowsOfGuests, today),
    rows: rowsOfGuests,
    strays: [
      ...[...headings].map((row) => ({ row, isHeading: true })),
      ...[...strays].map((row) => ({ row, isHeading: false })),
    ],
    hasMore,
    hiddenColumns: first.hiddenColumns ?? [],
  }
}

function columnsOf(names: readonly string[], rows: readonly Row[], today: string): Assigned[] {
  const profiles = names.map((name, column) =>
    profileOf(
      name,
      column,
      rows.map(({ cells }) => cells[column] ?? ''),
    ),
  )
  const usable = profiles.filter((profile) => !isUnnamedCounter(profile))
  return withSkipped(profiles, assignFields(usable, today))
}

/** Rows with far fewer cells than most. */
function shortRows(rows: readonly Row[]): ReadonlySet<Row> {
  const usual = usualWidth(rows.map((row) => filled(row).length))
  return new Set(usual > 3 ? rows.filter((row) => filled(row).length <= Math.max(2, usual * 0.4)) : [])
}

/** Fields without which a row is no guest. */
const CORE: ReadonlySet<string | undefined> = new Set([
  'booking.id',
  'fullName',
  'customer.lastName',
  'customer.firstName',
  'booking.startDate',
  'booking.endDate',
])
/** The columns without which a row is no guest. */
export const coreOf = (columns: readonly Assigned[]): Profile[] =>
  columns.filter(({ field }) => CORE.has(field)).map(({ profile }) => profile)

const DAYS: ReadonlySet<string | undefined> = new Set(['booking.startDate', 'booking.endDate'])
const isDays = ({ field, profile }: Assigned) =>
  DAYS.has(field) || (field === undefined && (profile.dates?.share ?? 0) > 0.8)

/** Rows that are titles or sums: few cells, no dates, and nothing or a single cell of what a guest has. */
function straysOf(
  rows: readonly Row[],
  columns: readonly Assigned[],
  short: ReadonlySet<Row>,
): ReadonlySet<Row> {
  const core = coreOf(columns)
  const isOfDays = new Set(columns.filter(({ field }) => DAYS.has(field)).map(({ profile }) => profile))
  const days = columns.filter(isDays).map(({ profile }) => profile)
  const isStray = (row: Row) => {
    // A word in a column of days is the title of a month or a week.
    const has = (profile: Profile) => {
      const text = valueText(row.cells[profile.column])
      return text !== '' && (!isOfDays.has(profile) || /\d/.test(text))
    }
    const given = core.filter(has).length
    return given === 0 || (short.has(row) && given <= 1 && days.length > 0 && !days.some(has))
  }
  return new Set(core.length === 0 ? [] : rows.filter(isStray))
}

const isSameRows = (some: ReadonlySet<Row>, others: ReadonlySet<Row>) =>
  some.size === others.size && [...some].every((row) => others.has(row))

/** A first column without a heading that counts the rows, as some programs write it. */
const isUnnamedCounter = (profile: Profile) =>
  profile.column === 0 && /^\([A-Z]+\)$/.test(profile.name) && isRowNumbers(profile)

function withSkipped(profiles: readonly Profile[], assigned: readonly Assigned[]): Assigned[] {
  const known = new Map(assigned.map((column) => [column.profile, column]))
  return profiles.map((profile) => known.get(profile) ?? { profile, field: undefined, isByCells: false })
}

/** Whether every cell of a row that is not empty is the heading of its column. */
const isSameHeadings = (row: Row, names: readonly string[]) =>
  filled(row).length > 1 &&
  row.cells.every((cell, column) => {
    const text = cellText(cell)
    return text === '' || foldHeading(text) === foldHeading(names[column] ?? '')
  })

const filled = ({ cells }: Row): Cell[] => cells.filter((cell) => cellText(cell) !== '')

/** Whether a text can be a heading: no number and no date, and not longer than a line. */
function isHeadingLike(cell: Cell): boolean {
  const text = cellText(cell)
  return (
    typeof cell === 'string' &&
    text.length <= 120 &&
    readNumber(text) === undefined &&
    readNumber(text, ',') === undefined &&
    dateFormatsOf(text).length === 0 &&
    addressesIn(text).length === 0
  )
}

/**
 * The row of the headings: the one among the first rows with the most headings that are known, as wide as the rows below
 * it. Without any known heading, the first wide row of which every cell is a text.
 * @returns undefined if the first row is data
 */
function headerOf(rows: readonly Row[]): number | undefined {
  const widths = rows.slice(0, 200).map((row) => filled(row).length)
  const usual = usualWidth(widths)
  const candidates = rows.slice(0, ABOVE_MAX).map((row, at) => {
    const cells = filled(row)
    const known = cells.filter((cell) => isKnownHeading(cellText(cell))).length
    return { at, known, width: cells.length, isText: cells.length > 0 && cells.every(isHeadingLike) }
  })
  const best = candidates
    .filter(
      ({ isText, width, known }) => isText && (width >= usual * 0.7 || (known > 1 && known >= width / 2)),
    )
    .reduce<(typeof candidates)[number] | undefined>(
      (most, next) => (most === undefined || next.known > most.known ? next : most),
      undefined,
    )
  if (best !== undefined) return best.at
  // A first wide row with dates or numbers is data; above it are titles. A single column has a heading.
  const wide = candidates.find(({ width }) => width >= usual * 0.7)
  return wide !== undefined && !wide.isText && wide.width > 1 && wide.known === 0 ? undefined : 0
}

/** The number of cells that rows of data usually have. There may be as many titles as guests. */
function usualWidth(widths: readonly number[]): number {
  const widest = widths.reduce((most, width) => Math.max(most, width), 0)
  return medianOf(widths.filter((width) => width > widest * 0.3))
}

function medianOf(numbers: readonly number[]): number {
  const sorted = numbers.toSorted((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)] ?? 0
}
