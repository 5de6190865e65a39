/** Deletes old problems of sources, and events that no receiver takes, once a day. */
import type { Database } from '../../core/database/database.ts'
import { pruneProblems, pruneWebhookEvents, selectCentersWithNotices } from './notices-sql.ts'

/** As long as the log of imports is stored by default, which says what a problem was about. */
const PROBLEM_DAYS = 365
const EVENT_DAYS = 90

/** Safe next to another instance that does the same. */
export async function pruneNotices(database: Pick<Database, 'query' | 'transaction'>): Promise<void> {
  for (const { center_id } of await database.query<{ center_id: string }>(selectCentersWithNotices)) {
    await database.transaction(async (tx) => {
      await tx.query(pruneProblems(center_id, PROBLEM_DAYS))
      await tx.query(pruneWebhookEvents(center_id, EVENT_DAYS))
    })
  }
}
