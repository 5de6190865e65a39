/** The rows of a plan: read with one statement, or with several one after the other if there are too many for one. */
import type { Sql } from 'sql-template-tag'
import type { Database, ReadKind } from '../database/database.ts'
import type { Place } from '../database/fair-turns.ts'
import type { CenterId } from '../records/centers/center.ts'
import type { FollowingRows, Plan, Rows } from '../request/operation.ts'

export type CenterReads = Pick<Database, 'queryArrays'>

/** Reads of one center's rows. On the embedded database they do not wait for another center's delivery. */
export const readsOf = (database: CenterReads, center: CenterId): CenterReads => ({
  queryArrays: (sql, kind) => database.queryArrays(sql, kind, center),
})

/** How often rows are read again if they turn out not to be of one snapshot. */
const ATTEMPTS_MAX = 3

/**
 * @param place the turn at the database, which pauses for others between two statements
 * @param kind of the plan's own statement; those that follow are light
 */
export async function readRows(
  database: CenterReads,
  { statement, following }: Pick<Plan, 'statement' | 'following'>,
  place: Place,
  kind: ReadKind,
): Promise<Rows> {
  if (statement === undefined) return []
  if (following === undefined) return database.queryArrays(statement, kind)
  for (let attempt = 1; attempt <= ATTEMPTS_MAX; attempt += 1) {
    const all = await withFollowing(await database.queryArrays(statement, kind), following)
    if (all !== undefined) return all
  }
  await place.pause()
  return database.queryArrays(following.all(), 'heavy')

  /** @returns undefined if the center has changed in the meantime: rows might be missing or repeated */
  async function withFollowing(rows: Rows, following: FollowingRows): Promise<Rows | undefined> {
    const all = [...rows]
    const revision = following.revisionOf(rows)
    for (let next = following.after(rows, all); next !== undefined; ) {
      await place.pause()
      const more = await database.queryArrays(next)
      if (following.revisionOf(more) !== revision) return undefined
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
