/** Rows of cells, whatever they were read from. */

/** A date comes as `2026-11-16`, a moment as `2026-11-16T15:00:00`, a time as `15:00:00`; an empty cell as ''. */
export type Cell = string | number | boolean

export interface Row {
  /** Counted from 1 as the program that shows the file counts them: lines of a text, rows of a sheet. */
  readonly number: number
  readonly cells: readonly Cell[]
  /** Why it cannot be read at all. */
  readonly problem?: string
}

/** A table of a file: the only one of a CSV file, or a sheet. */
export interface Table {
  /** The sheet's name; none in a CSV file. */
  readonly sheet?: string
  readonly rows: AsyncIterable<Row>
}

/** A cell as text, without the spaces around it. */
export function cellText(cell: Cell | undefined): string {
  return cell === undefined ? '' : String(cell).trim()
}
