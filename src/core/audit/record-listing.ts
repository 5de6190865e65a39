/** Records that an operator lists the trail, before anything of it is shown. */
import type { Database } from '../database/database.ts'
import { centersAsked, type ReadsQuestion, type TrailRead } from './list-reads.ts'
import { recordAct } from './record-act.ts'

/** What is recorded of a listing: what was asked. No identifier of a guest, and no free text. */
export type ListingFacts = Readonly<Record<string, string>>

/**
 * Adds an entry to the trail of each center that is listed.
 * @returns whether a read is one of these entries, which would otherwise be in every list
 * @throws {NoSuchCenter}
 */
export async function recordListing(
  database: Database,
  question: ReadsQuestion,
  facts: ListingFacts,
): Promise<(read: Pick<TrailRead, 'center' | 'entry'>) => boolean> {
  const own = new Map<string, number>()
  // One transaction for each center, so that no center waits for the trails of all others.
  for (const center of await centersAsked(database, question)) {
    const act = { center, name: 'listTrail', facts, scopes: [] } as const
    own.set(center, await database.transaction((tx) => recordAct(tx, act)))
  }
  return ({ center, entry }) => own.get(center) === entry
}
