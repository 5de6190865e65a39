/** Writes reads to the trail: one short transaction, whatever their number and centers. */
import type { Database, Queryable } from '../database/database.ts'
import { type Entry, type EntryContent, entryHash } from './entry.ts'
import { addHeads, type HeadRow, lockHeads } from './heads-sql.ts'
import { type PreparedEntry, prepareEntries } from './prepare-entries.ts'
import type { ReadGroup } from './read-queue.ts'
import { insertBatch, type NewBatch, selectBatch } from './write-batch-sql.ts'

export interface Batch {
  /** unique among all instances */
  readonly id: string
  readonly groups: readonly ReadGroup[]
  /** set once it was tried: its confirmation may have been lost though it was written */
  tried: boolean
}

export async function writeBatch(database: Database, batch: Batch): Promise<void> {
  const prepared = prepareEntries(batch.groups, batch.id)
  const centers = [...new Set(prepared.map(({ content }) => content.center_id))]
  const again = batch.tried
  batch.tried = true
  await database.transaction(async (tx) => {
    const heads = await holdHeads(tx, centers)
    if (again && (await isWritten(tx, prepared))) return
    await tx.query(insertBatch(chained(prepared, heads)))
  })
}

async function holdHeads(tx: Queryable, centers: readonly string[]): Promise<HeadRow[]> {
  const heads = await tx.query<HeadRow>(lockHeads(centers))
  if (heads.length === centers.length) return heads
  const known = new Set(heads.map((head) => head.center_id))
  await tx.query(addHeads(centers.filter((center) => !known.has(center))))
  return tx.query<HeadRow>(lockHeads(centers))
}

async function isWritten(tx: Queryable, prepared: readonly PreparedEntry[]): Promise<boolean> {
  // A batch is written as a whole or not at all, so any of its entries tells.
  const [first] = prepared
  if (first === undefined) return true
  const { center_id, batch, at } = first.content
  const found = await tx.query(selectBatch(center_id, batch, new Date(at / 1000).toISOString()))
  return found.length > 0
}

function chained(prepared: readonly PreparedEntry[], heads: readonly HeadRow[]): NewBatch {
  const ends = new Map(heads.map(({ center_id, seq, hash }) => [center_id, { seq, hash }]))
  const entries: Entry[] = []
  const lists = new Map<string, NewBatch['recordLists'][number]>()
  const keys = new Map<string, { center_id: string; public_key: string; lastAt: number }>()
  for (const { content: unplaced, lastAt, recordList } of prepared) {
    const { center_id, public_key, record_list } = unplaced
    const end = ends.get(center_id)
    if (end === undefined) throw new Error('a center of the batch has no head')
    const content: EntryContent = { ...unplaced, seq: end.seq + 1 }
    const previous_hash = end.hash
    end.seq = content.seq
    end.hash = entryHash(content, previous_hash)
    entries.push({ ...content, previous_hash, hash: end.hash })
    if (record_list !== null && recordList !== null) {
      lists.set(`${center_id}\n${record_list}`, { center_id, hash: record_list, ids: recordList })
    }
    const used = keys.get(public_key)
    if (used === undefined || used.lastAt < lastAt) keys.set(public_key, { center_id, public_key, lastAt })
  }
  return {
    entries,
    recordLists: [...lists.values()],
    heads: [...ends].map(([center_id, end]) => ({ center_id, ...end })),
    keys: [...keys.values()].map(({ lastAt, ...key }) => ({ ...key, at: new Date(lastAt).toISOString() })),
  }
}
