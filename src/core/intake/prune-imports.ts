/** Deletes old lines from the log of imports, once a day. */
import type { Database } from '../database/database.ts'
import { deleteOldImportsSql, selectImportedCentersSql } from './import-log-sql.ts'

/**
 * Deletes lines older than this number of days by the database's clock. Safe if another instance does the same at the
 * same time.
 */
export async function pruneImports(database: Database, days: number): Promise<void> {
  const centers = await database.query<{ center_id: string }>(selectImportedCentersSql)
  for (const { center_id } of centers) {
    await database.transaction((tx) => tx.query(deleteOldImportsSql(center_id, days)))
  }
}
