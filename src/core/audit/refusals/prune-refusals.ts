/** Deletes old records of refused requests, once a day. */
import type { Database } from '../../database/database.ts'
import { deleteOldRefusals, selectRefusedCenters } from './refusals-sql.ts'

/** Deletes rows older than this number of days by the database's clock. May run in several instances at the same time. */
export async function pruneRefusals(database: Database, days: number): Promise<void> {
  const centers = await database.query<{ center_id: string }>(selectRefusedCenters)
  for (const { center_id } of centers) {
    await database.transaction((tx) => tx.query(deleteOldRefusals(center_id, days)))
  }
}
