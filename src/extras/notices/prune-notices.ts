/** Deletes old problems of sources, and events that no receiver takes, once a day. */
import type { FastifyBaseLogger } from 'fastify'
import type { Database } from '../../database/database.ts'
import { pruneProblems, pruneWebhookEvents, selectCentersWithNotices } from './notices-sql.ts'

/** As long as the log of imports is kept by default, which says what a problem was about. */
const PROBLEM_DAYS = 365
const EVENT_DAYS = 90

/** Never rejects: a failure is logged. */
export async function pruneNoticesOnce(
  database: Database,
  log: Pick<FastifyBaseLogger, 'error'>,
): Promise<void> {
  try {
    for (const { center_id } of await database.query<{ center_id: string }>(selectCentersWithNotices)) {
      await database.transaction(
        async (tx) => {
          await tx.query(pruneProblems(center_id, PROBLEM_DAYS))
          await tx.query(pruneWebhookEvents(center_id, EVENT_DAYS))
        },
        { answersStay: true },
      )
    }
  } catch (error) {
    log.error({ name: error instanceof Error ? error.name : typeof error }, 'old notices were not pruned')
  }
}
