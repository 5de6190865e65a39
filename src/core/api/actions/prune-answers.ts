/** Answers to actions are stored for a week; older ones are deleted once a day. */
import type { Database } from '../../database/database.ts'
import { deleteOldAnswers, selectCentersWithAnswers } from './action-answers-sql.ts'

/** May run in several instances at the same time. @returns the number of deleted answers */
export async function pruneActionAnswers(database: Pick<Database, 'query' | 'transaction'>): Promise<number> {
  let answers = 0
  for (const { center_id } of await database.query<{ center_id: string }>(selectCentersWithAnswers)) {
    const [gone] = await database.transaction((tx) =>
      tx.query<{ answers: number }>(deleteOldAnswers(center_id)),
    )
    answers += gone?.answers ?? 0
  }
  return answers
}
