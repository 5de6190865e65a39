/** Writes the counts and the errors of applications: a few rows at a time, so that no statement takes long. */
import type { Database } from '../../core/database/database.ts'
import { zonesOf } from '../../core/records/centers/zones-of.ts'
import { addCounts, addErrors, type CountRow, type ErrorRow, trimErrors } from './usage-sql.ts'

/** Rows that are written together. */
export type Piece = { readonly counts: readonly CountRow[] } | { readonly errors: readonly ErrorRow[] }

const ROWS_MAX = 1000

export const piecesOf = (counts: readonly CountRow[], errors: readonly ErrorRow[]): Piece[] => [
  ...inPieces(counts).map((rows) => ({ counts: rows })),
  ...inPieces(errors).map((rows) => ({ errors: rows })),
]

function inPieces<Row>(rows: readonly Row[]): (readonly Row[])[] {
  const pieces: (readonly Row[])[] = []
  for (let at = 0; at < rows.length; at += ROWS_MAX) pieces.push(rows.slice(at, at + ROWS_MAX))
  return pieces
}

/**
 * With `answersStay`, because this changes nothing that answers are made from.
 * @param errorsMax distinct errors that are stored for an application
 */
export async function writePiece(database: Database, piece: Piece, errorsMax: number): Promise<void> {
  await database.transaction(async (tx) => {
    if ('counts' in piece) {
      const centers = [...new Set(piece.counts.map(({ center_id }) => center_id))]
      await tx.query(addCounts(piece.counts, await zonesOf(tx, centers)))
      return
    }
    await tx.query(addErrors(piece.errors))
    const centers = [...new Set(piece.errors.map(({ center_id }) => center_id))]
    const apps = [...new Set(piece.errors.map(({ app_id }) => app_id))]
    await tx.query(trimErrors(centers, apps, errorsMax))
  })
}
