/** Recorded changes are kept for a number of days; older ones are deleted once a day, in pieces. */
import type { FastifyBaseLogger } from 'fastify'
import type { Database } from '../database/database.ts'
import { deleteOldCommits, selectCentersWithCommits } from './prune-changes-sql.ts'

/** Commits at once: each may have a thousand notes of each kind, and nobody waits for them meanwhile. */
const PIECE = 200

/**
 * Takes out the notes of commits that are older than so many days, by the database's clock. The newest commit of a
 * center stays, so that who has seen it can always go on from there. Safe beside writers and beside another
 * instance that does the same.
 * @returns how many commits were taken out
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

/** Prunes once, and says what came of it in the log. Never rejects. */
export async function pruneChangesOnce(
  database: Database,
  days: number,
  log: Pick<FastifyBaseLogger, 'error' | 'info'>,
): Promise<void> {
  try {
    const commits = await pruneChanges(database, days)
    if (commits > 0) log.info({ commits, days }, 'pruned old notes of changes')
  } catch (error) {
    log.error(
      { name: error instanceof Error ? error.name : typeof error },
      'pruning the notes of changes failed',
    )
  }
}
