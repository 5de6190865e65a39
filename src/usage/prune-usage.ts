/** The use of the interface is kept so many days; what is older is taken out once a day. */
import type { FastifyBaseLogger } from 'fastify'
import type { Database } from '../database/database.ts'
import { deleteOldDays, deleteOldErrors, selectUsedCenters } from './usage-sql.ts'

/** Takes out what is older by the database's clock. Safe beside another instance that does the same. */
export async function pruneUsage(database: Database, days: number): Promise<void> {
  const centers = await database.query<{ center_id: string }>(selectUsedCenters)
  for (const { center_id } of centers) {
    await database.transaction(
      async (tx) => {
        await tx.query(deleteOldDays(center_id, days))
        await tx.query(deleteOldErrors(center_id, days))
      },
      { answersStay: true },
    )
  }
}

/** Never rejects. */
export async function pruneUsageOnce(
  database: Database,
  days: number,
  log: Pick<FastifyBaseLogger, 'error'>,
): Promise<void> {
  try {
    await pruneUsage(database, days)
  } catch (error) {
    log.error(
      { name: error instanceof Error ? error.name : typeof error },
      'the use of the interface was not pruned',
    )
  }
}
