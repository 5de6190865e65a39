/** Usage is stored for a number of days; older days are deleted once a day. */
import type { Database } from '../../core/database/database.ts'
import { deleteOldDays, deleteOldErrors, selectUsedCenters } from './usage-sql.ts'

/** Deletes older days by the database's clock. May run in several instances at the same time. */
export async function pruneUsage(database: Database, days: number): Promise<void> {
  const centers = await database.query<{ center_id: string }>(selectUsedCenters)
  for (const { center_id } of centers) {
    await database.transaction(async (tx) => {
      await tx.query(deleteOldDays(center_id, days))
      await tx.query(deleteOldErrors(center_id, days))
    })
  }
}
