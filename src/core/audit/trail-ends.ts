/** Where a center's trail begins and ends: by its head, by its entries, and by the last use of keys. */
import type { Queryable } from '../database/database.ts'
import type { HeadRow } from './heads-sql.ts'
import { selectEnds } from './verify/verify-trail-sql.ts'

export interface Ends {
  /** whether the center has a head */
  readonly exists: boolean
  readonly seq: number
  readonly hash: string
  readonly prunedSeq: number
  readonly prunedHash: string
  /** number of the last entry */
  readonly lastSeq: number
  /** epoch ms of the newest entry with a read; null if there is none */
  readonly newestRead: number | null
  /** epoch ms of the last use of any of the center's keys; null if none was ever used */
  readonly lastUsed: number | null
  /** epoch ms by the database's clock */
  readonly now: number
}

/** Reads all ends from one snapshot. */
export async function readEnds(database: Queryable, center: string): Promise<Ends> {
  type Row = { [Name in keyof HeadRow]: HeadRow[Name] | null } & {
    last_seq: number | null
    newest_read: number | null
    last_used: number | null
    now: number
  }
  const [row] = await database.query<Row>(selectEnds(center))
  if (row === undefined) throw new Error('the database did not say where the trail ends')
  return {
    exists: row.center_id !== null,
    seq: row.seq ?? 0,
    hash: row.hash ?? '',
    prunedSeq: row.pruned_seq ?? 0,
    prunedHash: row.pruned_hash ?? '',
    lastSeq: row.last_seq ?? 0,
    newestRead: row.newest_read,
    lastUsed: row.last_used,
    now: row.now,
  }
}
