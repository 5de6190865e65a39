/** Rows of cells, whatever the source. */
import type { Sentence } from '../../../locale/said.ts'

/** A date is `2026-11-16`, a timestamp `2026-11-16T15:00:00`, a time `15:00:00`, and an empty cell ''. */
export type Cell = string | number | boolean

export interface Row {
  /** Counted from 1 as by the program that shows the file: lines of a text, rows of a sheet. */
  readonly number: number
  readonly cells: readonly Cell[]
  /** Why the row cannot be read at all. */
  readonly problem?: Sentence
  /** Whether the program that wrote the file does not show the row, such as one that a filter leaves out. */
  readonly isHidden?: boolean
  /** Of the first row of a sheet: the positions of columns that are not shown. */
  readonly hiddenColumns?: readonly number[]
}

/** A table of a file: the only table of a CSV file, or a sheet. */
export interface Table {
  /** The sheet's name; undefined for a CSV file. */
  readonly sheet?: string
  readonly rows: AsyncIterable<Row>
}

/** Marks of direction, joiners of width zero and soft hyphens: programs add them, and nobody sees them. */
const INVISIBLE = /[\u00ad\u200b\u200e\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff]/g
const HAS_INVISIBLE = /[\u00ad\u200b\u200e\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff]/

/** The text without characters that have no width and no meaning in a cell. Joiners that shape letters stay. */
export const visibleText = (text: string): string =>
  HAS_INVISIBLE.test(text) ? text.replaceAll(INVISIBLE, '') : text

/**
 * What exports of databases and statistics programs write for no value. In one case only: a guest may be called Null.
 */
const NO_VALUE = /^(?:NULL|null|\(null\)|<null>|\[NULL\]|\\N|#N\/A|[nN]\/[aA]\.?|NaN)$/

/** A cell as text, and '' for what means no value. */
export function valueText(cell: Cell | undefined): string {
  const text = cellText(cell)
  return NO_VALUE.test(text) ? '' : text
}

/** A cell as text, without surrounding spaces and invisible characters. */
export function cellText(cell: Cell | undefined): string {
  return cell === undefined ? '' : visibleText(String(cell)).trim()
}

/** A row whose cells the header does not name. */
export const cellsAre = (cells: number, columns: number): Sentence => ({
  key: cells === 1 ? 'cellOfHeader' : 'cellsOfHeader',
  values: { cells, columns },
})
