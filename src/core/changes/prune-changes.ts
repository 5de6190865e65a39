/** Recorded changes are retained for a number of days; older ones are deleted once a day, in pieces. */
import type { Database } from '../database/database.ts'
import { deleteOldCommits, selectCentersWithCommits } from './prune-changes-sql.ts'

/** Commits deleted at once. Each may have a thousand changes of each kind, and others should not wait long. */
const PIECE = 200

/**
 * Deletes recorded changes of commits older than this number of days, by the database's clock. The newest commit of a
 * center is retained, so that a client that has read it can always continue from there. Safe while others write or another
 * instance prunes.
 * @returns number of commits deleted
 */
export async function pruneChanges(database: Database, days: number): Promise<number> {
  const centers = await database.query<{ center_id: string }>(selectCentersWithCommits)
  let commits = 0
  for (const { center_id } of centers) {
    while (true) {
      const [taken] = await database.query<{ commits: number }>(deleteOldCommits(center_id, days, PIECE))
      const count = taken?.commits ?? 0
      commits += count
      if (count < PIECE) break
    }
  }
  return commits
}
