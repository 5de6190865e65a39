/** Writes reads to the trail: one short transaction, whatever their number and centers. */
import type { Database, Queryable } from '../database/database.ts'
import { SCOPES } from '../keys/scopes.ts'
import {
  addHeads,
  type HeadRow,
  insertBatch,
  lockHeads,
  type NewBatch,
  type NewEntryRow,
  selectBatch,
} from './audit-sql.ts'
import { type AuditEntry, entryHash, recordListHash, recordListText, requestLine } from './chain.ts'
import type { ReadGroup } from './read-queue.ts'

export interface Batch {
  /** unique among all instances */
  readonly id: string
  readonly groups: readonly ReadGroup[]
  /** set once it was tried: its confirmation may have been lost though it was written */
  tried: boolean
}

export async function writeBatch(database: Database, batch: Batch): Promise<void> {
  const prepared = prepare(batch)
  const centers = [...new Set(prepared.map(({ entry }) => entry.center))]
  const again = batch.tried
  batch.tried = true
  await database.transaction(async (tx) => {
    const heads = await holdHeads(tx, centers)
    if (again && (await isWritten(tx, prepared, batch.id))) return
    await tx.query(insertBatch(chained(prepared, heads)))
  })
}

/** Everything of an entry but its place in the chain, which is known only once the heads are held. */
interface Prepared {
  readonly entry: Omit<AuditEntry, 'seq'>
  readonly at: string
  readonly lastAt: string
  readonly recordListText: string | null
}

function prepare(batch: Batch): Prepared[] {
  // Kept answers share their list of records.
  const lists = new Map<object, { text: string; hash: string }>()
  return batch.groups.map((group) => {
    const { event } = group
    const { key, records, needs } = event
    // A list too long to name each of its records names none.
    const named = records.count > 0 && records.ids.length === records.count
    let list = lists.get(records)
    if (named && list === undefined) {
      const text = recordListText(records.ids)
      list = { text, hash: recordListHash(text) }
      lists.set(records, list)
    }
    const requests = group.requestIds.map((requestId, index) =>
      requestLine({
        offsetMs: group.offsetsMs[index] ?? 0,
        status: group.statuses[index] ?? 0,
        requestId,
      }),
    )
    const needed = new Set(needs.map((need) => need.scope))
    return {
      at: new Date(group.at).toISOString(),
      lastAt: new Date(group.at + (group.offsetsMs.at(-1) ?? 0)).toISOString(),
      recordListText: list?.text ?? null,
      entry: {
        center: key.center,
        atMicros: group.at * 1000,
        batch: batch.id,
        publicKey: key.publicKey,
        appId: key.appId,
        keyName: key.name,
        operation: event.operation.name,
        // One spelling for all ways to encode the same parameters.
        query: event.query === '' ? '' : new URLSearchParams(event.query).toString(),
        scopes: SCOPES.filter((scope) => needed.has(scope)).join(' '),
        records: records.count,
        recordList: list?.hash ?? null,
        revision: event.revision,
        reads: requests.length,
        requests: requests.join('\n'),
      },
    }
  })
}

async function holdHeads(tx: Queryable, centers: readonly string[]): Promise<HeadRow[]> {
  const heads = await tx.query<HeadRow>(lockHeads(centers))
  if (heads.length === centers.length) return heads
  const known = new Set(heads.map((head) => head.center_id))
  await tx.query(addHeads(centers.filter((center) => !known.has(center))))
  return tx.query<HeadRow>(lockHeads(centers))
}

async function isWritten(tx: Queryable, prepared: readonly Prepared[], id: string): Promise<boolean> {
  // A batch is written as a whole or not at all, so any of its entries tells.
  const [first] = prepared
  if (first === undefined) return true
  const found = await tx.query(selectBatch(first.entry.center, id, first.at))
  return found.length > 0
}

function chained(prepared: readonly Prepared[], heads: readonly HeadRow[]): NewBatch {
  const ends = new Map(heads.map(({ center_id, seq, hash }) => [center_id, { seq, hash }]))
  const entries: NewEntryRow[] = []
  const lists = new Map<string, NewBatch['recordLists'][number]>()
  const keys = new Map<string, NewBatch['keys'][number]>()
  for (const { entry: unplaced, at, lastAt, recordListText } of prepared) {
    const end = ends.get(unplaced.center)
    if (end === undefined) throw new Error('a center of the batch has no head')
    const entry: AuditEntry = { ...unplaced, seq: end.seq + 1 }
    const previous = end.hash
    end.seq = entry.seq
    end.hash = entryHash(entry, previous)
    entries.push({
      center_id: entry.center,
      seq: entry.seq,
      at,
      batch: entry.batch,
      public_key: entry.publicKey,
      app_id: entry.appId,
      key_name: entry.keyName,
      operation: entry.operation,
      query: entry.query,
      scopes: entry.scopes,
      records: entry.records,
      record_list: entry.recordList,
      revision: entry.revision,
      reads: entry.reads,
      requests: entry.requests,
      previous_hash: previous,
      hash: end.hash,
    })
    if (entry.recordList !== null && recordListText !== null) {
      lists.set(`${entry.center}\n${entry.recordList}`, {
        center_id: entry.center,
        hash: entry.recordList,
        ids: recordListText,
      })
    }
    const used = keys.get(entry.publicKey)
    if (used === undefined || used.at < lastAt) {
      keys.set(entry.publicKey, { center_id: entry.center, public_key: entry.publicKey, at: lastAt })
    }
  }
  return {
    entries,
    recordLists: [...lists.values()],
    heads: [...ends].map(([center_id, end]) => ({ center_id, ...end })),
    keys: [...keys.values()],
  }
}
