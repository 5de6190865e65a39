/** Reads a result of any length within a transaction, in flat memory. */
import { raw, type Sql } from 'sql-template-tag'
import type { Queryable } from '../../database/database.ts'
import { closeCursorSql, declareCursorSql, fetchCursorSql } from './chunks-sql.ts'

export const BATCH_ROWS = 5000

/** The rows of a statement in chunks. Only one such read at a time: the cursor has a fixed name. */
export async function* readRowsInChunks<R extends object>(
  tx: Queryable,
  statement: Sql,
  rowsPerChunk: number,
): AsyncGenerator<R[]> {
  await tx.query(declareCursorSql(statement))
  while (true) {
    const rows = await tx.query<R>(fetchCursorSql(raw(String(rowsPerChunk))))
    if (rows.length > 0) yield rows
    if (rows.length < rowsPerChunk) break
  }
  await tx.query(closeCursorSql)
}
