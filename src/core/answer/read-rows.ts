/** The rows of plans that need several statements: one after the other if there are too many rows for one, or one that stores. */
import type { Sql } from 'sql-template-tag'
import type { Database, ReadKind } from '../database/database.ts'
import type { Slot } from '../database/queue/database-queue.ts'
import type { FollowingRows, Reading, Rows } from '../request/operation.ts'

export type CenterReads = Pick<Database, 'queryArrays'>

/** How often rows are read again if they are not of one snapshot. */
const ATTEMPTS_MAX = 3

/**
 * @param revisionOf the rows of a statement
 * @param slot at the database; it pauses for others between two statements
 * @param statement the first one, of this kind; those that follow are light
 */
export async function readAllRows(
  database: CenterReads,
  statement: Sql,
  following: FollowingRows,
  revisionOf: NonNullable<Reading['revisionOf']>,
  slot: Slot,
  kind: ReadKind,
): Promise<Rows> {
  for (let attempt = 1; attempt <= ATTEMPTS_MAX; attempt += 1) {
    const all = await withFollowing(await database.queryArrays(statement, kind), following)
    if (all !== undefined) return all
  }
  await slot.pause()
  return database.queryArrays(following.all(), 'heavy')

  /** @returns undefined if the center has changed in the meantime: rows might be missing or repeated */
  async function withFollowing(rows: Rows, following: FollowingRows): Promise<Rows | undefined> {
    const all = [...rows]
    const revision = revisionOf(rows)
    for (let next = following.after(rows, all); next !== undefined; ) {
      await slot.pause()
      const more = await database.queryArrays(next)
      if (revisionOf(more) !== revision) return undefined
      all.push(...more)
      next = following.after(more, all)
    }
    return all
  }
}

/**
 * Runs a statement that stores something and returns one row. It is retried while it returns none.
 * @returns no rows if the last attempt returned none either
 */
export async function stored(database: CenterReads, statement: Sql): Promise<Rows> {
  let rows: Rows = []
  for (let attempt = 1; attempt <= ATTEMPTS_MAX && rows.length === 0; attempt += 1) {
    rows = await database.queryArrays(statement)
  }
  return rows
}
