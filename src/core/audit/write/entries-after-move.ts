/** Entries that were written to the trail of a center in its old database, after it has moved. */
import type { Database, Queryable } from '../../database/database.ts'
import type { Entry } from '../entry.ts'
import { batchOfEntries } from './batch.ts'
import { selectLateEntries } from './entries-after-move-sql.ts'
import type { PreparedEntry } from './prepare-entries.ts'
import { writeBatch } from './write-batch.ts'

type LateRow = Entry & { readonly record_list_text: string | null }

/**
 * Adds the entries after this number to the trail in the new database, in the same batches: each once, however often this is
 * repeated. They get new numbers and hashes there, and retain their times. @returns how many there are
 */
export async function moveEntriesAfterMove(
  from: Queryable,
  to: Database,
  center: string,
  after: number,
): Promise<number> {
  const late = await from.query<LateRow>(selectLateEntries(center, after))
  for (const entries of Map.groupBy(late, ({ batch }) => batch).values()) {
    await writeBatch(to, batchOfEntries(entries.map(prepared)))
  }
  return late.length
}

function prepared(row: LateRow): PreparedEntry {
  const { seq: _seq, hash: _hash, previous_hash: _previous, record_list_text: recordList, ...content } = row
  return { content, lastAt: content.at / 1000, recordList }
}
