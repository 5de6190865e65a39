/** Looks at a table of a file: where its headings are, which rows are none of its records, and what its columns are. */

import { columnNames, letterOf } from '../mapping/header.ts'
import { dateFormatsOf } from '../mapping/likeness.ts'
import { readNumber } from '../mapping/numbers.ts'
import { type Cell, cellText, type Row, type Table } from '../tables/table.ts'
import { type Assigned, assignFields, isEmail, isRowNumbers } from './evidence.ts'
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
  /** The rows below the headings that were looked at. */
  readonly rows: readonly Row[]
  /** Whether rows below repeat the headings, as programs do on each printed page. They are no data of the columns. */
  readonly headingAgain: boolean
  /** Whether there are more rows than were looked at. */
  readonly hasMore: boolean
}

/** @returns undefined for a table without rows */
export async function lookAtTable({ rows, sheet }: Table, today: string): Promise<Look | undefined> {
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
  const repeated = new Set(below.filter((row) => header !== undefined && isSameHeadings(row, names)))
  const profiles = names.map((name, column) =>
    profileOf(
      name,
      column,
      below.map((row) => (repeated.has(row) ? '' : (row.cells[column] ?? ''))),
    ),
  )
  const usable = profiles.filter((profile) => !isUnnamedCounter(profile))
  return {
    sheet,
    header: header === undefined ? 0 : header.number === 1 && at === 0 ? undefined : header.number,
    columns: withSkipped(profiles, assignFields(usable, today)),
    rows: below,
    headingAgain: repeated.size > 0,
    hasMore,
  }
}

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
const isHeadingLike = (cell: Cell) =>
  typeof cell === 'string' &&
  cell.length <= 120 &&
  readNumber(cell) === undefined &&
  readNumber(cell, ',') === undefined &&
  dateFormatsOf(cell).length === 0 &&
  !isEmail(cell)

/**
 * The row of the headings: the one among the first rows with the most headings that are known, as wide as the rows below
 * it. Without any known heading, the first wide row of which every cell is a text.
 * @returns undefined if the first row is data
 */
function headerOf(rows: readonly Row[]): number | undefined {
  const widths = rows.slice(0, 200).map((row) => filled(row).length)
  const widest = Math.max(...widths)
  const usual = medianOf(widths.filter((width) => width > widest * 0.3))
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
  // A first row with dates or numbers among several columns is data. A single column has a heading.
  const [first] = candidates
  return first !== undefined && !first.isText && first.width > 1 && first.known === 0 ? undefined : 0
}

function medianOf(numbers: readonly number[]): number {
  const sorted = numbers.toSorted((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)] ?? 0
}
