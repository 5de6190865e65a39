/** Writes reads to the trail in one transaction, piece by piece, whatever their number and centers. */
import type { Database, Queryable } from '../../database/database.ts'
import { type Entry, type EntryContent, entryHash } from '../entry.ts'
import { addHeads, type HeadRow, lockHeads } from '../heads-sql.ts'
import type { Batch } from './batch.ts'
import type { PreparedEntry } from './prepare-entries.ts'
import { insertBatch, type NewBatch, selectBatch } from './write-batch-sql.ts'

/** Writes a batch, unless an earlier attempt has written it. */
export async function writeBatch(database: Database, batch: Batch): Promise<void> {
  const again = batch.tried
  batch.tried = true
  await database.transaction(async (tx) => {
    const heads = await holdHeads(tx, batch.centers)
    if (again && (await isWritten(tx, batch))) return
    const ends: Ends = new Map(heads.map(({ center_id, seq, hash }) => [center_id, { seq, hash }]))
    // Requests are handled while a piece is being written.
    for (const piece of batch.pieces()) await tx.query(insertBatch(chained(piece, ends)))
  })
}

/** The heads of these chains, locked until the transaction ends. Missing heads are created. */
export async function holdHeads(tx: Queryable, centers: readonly string[]): Promise<HeadRow[]> {
  const heads = await tx.query<HeadRow>(lockHeads(centers))
  if (heads.length === centers.length) return heads
  const known = new Set(heads.map((head) => head.center_id))
  await tx.query(addHeads(centers.filter((center) => !known.has(center))))
  return tx.query<HeadRow>(lockHeads(centers))
}

/** A batch is written as a whole or not at all, so its first entry is enough. */
async function isWritten(tx: Queryable, { first }: Batch): Promise<boolean> {
  const { center_id, batch, at } = first
  const found = await tx.query(selectBatch(center_id, batch, new Date(at / 1000).toISOString()))
  return found.length > 0
}

/** By center: the entry to which the next one is chained. */
type Ends = Map<string, { seq: number; hash: string }>

function chained(piece: readonly PreparedEntry[], ends: Ends): NewBatch {
  const entries: Entry[] = []
  const centers = new Set<string>()
  const lists = new Map<string, NewBatch['recordLists'][number]>()
  const keys = new Map<string, { center_id: string; public_key: string; lastAt: number }>()
  for (const { content: unplaced, lastAt, recordList } of piece) {
    const { center_id, public_key, record_list } = unplaced
    const end = ends.get(center_id)
    if (end === undefined) throw new Error('a center of the batch has no head')
    centers.add(center_id)
    const content: EntryContent = { ...unplaced, seq: end.seq + 1 }
    const previous_hash = end.hash
    end.seq = content.seq
    end.hash = entryHash(content, previous_hash)
    entries.push({ ...content, previous_hash, hash: end.hash })
    if (record_list !== null && recordList !== null) {
      lists.set(`${center_id}\n${record_list}`, { center_id, hash: record_list, ids: recordList })
    }
    // Also by center, so that two centers' uses of one public key remain separate.
    const key = `${center_id}\n${public_key}`
    const used = keys.get(key)
    if (used === undefined || used.lastAt < lastAt) keys.set(key, { center_id, public_key, lastAt })
  }
  return {
    entries,
    recordLists: [...lists.values()],
    heads: [...ends].flatMap(([center_id, end]) => (centers.has(center_id) ? [{ center_id, ...end }] : [])),
    keys: [...keys.values()].map(({ lastAt, ...key }) => ({ ...key, at: new Date(lastAt).toISOString() })),
  }
}
