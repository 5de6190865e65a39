/** Removes what became of reports long ago. */
import type { Database } from '../../core/database/database.ts'
import { deleteOldRuns, selectCentersWithRuns } from './reports-sql.ts'

/** @returns how many runs were removed */
export async function pruneRuns(database: Database, days: number): Promise<number> {
  let count = 0
  for (const { center_id } of await database.query<{ center_id: string }>(selectCentersWithRuns)) {
    const removed = await database.transaction((tx) => tx.query(deleteOldRuns(center_id, days)))
    count += removed.length
  }
  return count
}
