/** Rows of a table that a person has corrected, or leaves out, without changing the file. */
import type { Tables } from '../spreadsheets/tables/read-tables.ts'
import type { Cell, Row } from '../spreadsheets/tables/table.ts'

export interface Correction {
  /** By position, counted from 0. */
  readonly cells: ReadonlyMap<number, string>
  readonly isLeftOut: boolean
}

/** By sheet and row (`placeOf`). */
export type Corrections = ReadonlyMap<string, Correction>

/** @param sheet undefined for a file without sheets */
export const correctionPlace = (sheet: string | undefined, row: number) => `${sheet ?? ''}\n${row}`

/** The same tables, with the corrected rows. */
export async function corrected(
  tables: Promise<Tables>,
  corrections: Corrections | undefined,
): Promise<Tables> {
  if (corrections === undefined || corrections.size === 0) return tables
  const { table, ...more } = await tables
  return {
    ...more,
    table(index) {
      const one = table(index)
      return { ...one, rows: correctedRows(one.rows, one.sheet, corrections) }
    },
  }
}

async function* correctedRows(
  rows: AsyncIterable<Row>,
  sheet: string | undefined,
  corrections: Corrections,
): AsyncGenerator<Row> {
  for await (const row of rows) {
    const correction = corrections.get(correctionPlace(sheet, row.number))
    if (correction === undefined) yield row
    else if (!correction.isLeftOut) yield withCells(row, correction.cells)
  }
}

/** What could not be read of the row at all is not known to be wrong any more. */
function withCells({ number, cells }: Row, given: ReadonlyMap<number, string>): Row {
  const changed: Cell[] = [...cells]
  for (const [column, text] of given) {
    while (changed.length < column) changed.push('')
    changed[column] = text
  }
  return { number, cells: changed }
}
