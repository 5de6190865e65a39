/** The rows of a plan: read at once, or one statement after the other where they are too many for that. */
import type { Sql } from 'sql-template-tag'
import type { Database, ReadKind } from '../database/database.ts'
import type { Place } from '../database/fair-turns.ts'
import type { FollowingRows, Plan, Rows } from '../request/operation.ts'

/** So often rows are read again that turned out not to be of one moment. */
const ATTEMPTS_MAX = 3

/**
 * @param place at the database, given to others between two statements
 * @param kind of the plan's own statement; those that follow are light
 */
export async function readRows(
  database: Pick<Database, 'queryArrays'>,
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

  /** Undefined where the center has changed meanwhile: what was read before may be missing something, or have it twice. */
  async function withFollowing(rows: Rows, following: FollowingRows): Promise<Rows | undefined> {
    const all = [...rows]
    const revision = following.revisionOf(rows)
    for (let next = following.after(rows); next !== undefined; ) {
      await place.pause()
      const more = await database.queryArrays(next)
      if (following.revisionOf(more) !== revision) return undefined
      all.push(...more)
      next = following.after(more)
    }
    return all
  }
}

/** The one row of a statement that keeps something; none where it still gives none after some attempts. */
export async function stored(database: Pick<Database, 'queryArrays'>, statement: Sql): Promise<Rows> {
  let rows: Rows = []
  for (let attempt = 1; attempt <= ATTEMPTS_MAX && rows.length === 0; attempt += 1) {
    rows = await database.queryArrays(statement)
  }
  return rows
}
