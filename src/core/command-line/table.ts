import { visible } from '../errors/visible.ts'

/** Rows as text for a terminal, each column as wide as its widest cell. */
export function tableLines(
  given: readonly (readonly string[])[],
  options: {
    /** columns that are right-aligned, such as numbers */
    readonly right?: (column: number) => boolean
  } = {},
): string[] {
  // A line break in a name would look like another row.
  const rows = given.map((cells) => cells.map(visible))
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)))
  return rows.map((row) =>
    row
      .map((cell, column) =>
        options.right?.(column) ? cell.padStart(widths[column] ?? 0) : cell.padEnd(widths[column] ?? 0),
      )
      .join('  ')
      .trimEnd(),
  )
}
