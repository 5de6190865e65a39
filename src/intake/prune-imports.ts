/** The log of imports is kept so many days; what is older is taken out once a day. */
import type { FastifyBaseLogger } from 'fastify'
import type { Database } from '../database/database.ts'
import { deleteOldImportsSql, selectImportedCentersSql } from './import-log-sql.ts'

/** Takes out what is older by the database's clock. Safe beside another instance that does the same. */
export async function pruneImports(database: Database, days: number): Promise<void> {
  const centers = await database.query<{ center_id: string }>(selectImportedCentersSql)
  for (const { center_id } of centers) {
    await database.transaction((tx) => tx.query(deleteOldImportsSql(center_id, days)), { answersStay: true })
  }
}

/** Never rejects. */
export async function pruneImportsOnce(
  database: Database,
  days: number,
  log: Pick<FastifyBaseLogger, 'error'>,
): Promise<void> {
  try {
    await pruneImports(database, days)
  } catch (error) {
    log.error(
      { name: error instanceof Error ? error.name : typeof error },
      'the log of imports was not pruned',
    )
  }
}
