/** Adds one entry to a center's trail within the caller's transaction, in the same chain as the reads. */
import { databaseNow } from '../../database/clock.ts'
import type { Queryable } from '../../database/database.ts'
import { type EntryContent, entryHash, recordListHash, requestLine } from '../entry.ts'
import { newBatchId } from './batch.ts'
import { holdHeads } from './write-batch.ts'
import { insertBatch } from './write-batch-sql.ts'

export interface NewEntry {
  /** of the key that acted; '' for the command line */
  readonly publicKey: string
  readonly appId: string
  readonly keyName: string
  readonly operation: string
  /** the object of the action and its details; never a secret */
  readonly facts: Readonly<Record<string, string>>
  readonly scopes: string
  readonly records?: number
  /** the text that names the records (`recordListText`) */
  readonly recordList?: string | undefined
  /** of the center, as the request saw it; 0 for the command line */
  readonly revision?: number
  readonly channel?: string | null
  /** the request of a key, whose use is noted; absent for the command line and deliveries */
  readonly request?: { readonly status: number; readonly id: string }
}

/**
 * Waits for reads of the center that are being written to the trail, and holds up those after it until the commit.
 * @returns the number of the entry
 */
export async function appendEntry(tx: Queryable, center: string, entry: NewEntry): Promise<number> {
  const [head] = await holdHeads(tx, [center])
  if (head === undefined) throw new Error('the center has no head')
  const now = await databaseNow(tx)
  const { recordList: ids, request } = entry
  const list = ids === undefined ? undefined : { hash: recordListHash(ids), ids }
  const content: EntryContent = {
    center_id: center,
    seq: head.seq + 1,
    at: now * 1000,
    batch: newBatchId(),
    public_key: entry.publicKey,
    app_id: entry.appId,
    key_name: entry.keyName,
    operation: entry.operation,
    query: new URLSearchParams(entry.facts).toString(),
    scopes: entry.scopes,
    records: entry.records ?? 0,
    record_list: list?.hash ?? null,
    revision: entry.revision ?? 0,
    reads: 1,
    requests: requestLine({ offsetMs: 0, status: request?.status ?? 0, requestId: request?.id ?? '-' }),
    channel: entry.channel ?? null,
  }
  const hash = entryHash(content, head.hash)
  const at = new Date(now).toISOString()
  await tx.query(
    insertBatch({
      entries: [{ ...content, previous_hash: head.hash, hash }],
      recordLists: list === undefined ? [] : [{ center_id: center, ...list }],
      heads: [{ center_id: center, seq: content.seq, hash }],
      keys: request === undefined ? [] : [{ center_id: center, public_key: entry.publicKey, at }],
    }),
  )
  return content.seq
}
