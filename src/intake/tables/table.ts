/** Rows of cells, whatever the source. */

/** A date is `2026-11-16`, a timestamp `2026-11-16T15:00:00`, a time `15:00:00`, and an empty cell ''. */
export type Cell = string | number | boolean

export interface Row {
  /** Counted from 1 as by the program that shows the file: lines of a text, rows of a sheet. */
  readonly number: number
  readonly cells: readonly Cell[]
  /** Why the row cannot be read at all. */
  readonly problem?: string
}

/** A table of a file: the only table of a CSV file, or a sheet. */
export interface Table {
  /** The sheet's name; undefined for a CSV file. */
  readonly sheet?: string
  readonly rows: AsyncIterable<Row>
}

/** A cell as text, without surrounding spaces. */
export function cellText(cell: Cell | undefined): string {
  return cell === undefined ? '' : String(cell).trim()
}
