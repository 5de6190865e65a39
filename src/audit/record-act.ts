/**
 * Records the action of an operator at the command line, or of a booking system that sent records, as an entry of the
 * trail. The entry is in the same chain as the reads, and is written in the transaction of the action, so that neither
 * exists without the other.
 */
import { randomUUID } from 'node:crypto'
import { databaseNow } from '../database/clock.ts'
import type { Queryable } from '../database/database.ts'
import { recordListText } from '../database/record-list.ts'
import { type EntryContent, entryHash, recordListHash, requestLine } from './entry.ts'
import { holdHeads } from './write-batch.ts'
import { insertBatch } from './write-batch-sql.ts'

/** Never the names of operations of the interface. */
export const ACTS = [
  'createKey',
  'rotateKey',
  'revokeKey',
  'addWebhook',
  'pauseWebhook',
  'resumeWebhook',
  'replayWebhook',
  'rotateWebhook',
  'removeWebhook',
  'createLink',
  'revokeLink',
  'findGuest',
  'exportGuest',
  'eraseGuest',
  'takeRecords',
  'saveMapping',
  'removeMapping',
] as const
export type ActName = (typeof ACTS)[number]

export interface Act {
  readonly center: string
  readonly name: ActName
  /** the object of the action and its details; never a secret */
  readonly facts: Readonly<Record<string, string>>
  readonly scopes: readonly string[]
  /** the key that acted; absent for the command line */
  readonly by?: { readonly publicKey: string; readonly appId: string; readonly name: string }
  /** number of records changed */
  readonly records?: number
  /** the bookings that were shown, in place of `records` */
  readonly shown?: readonly string[]
}

/** Recorded in place of a key's name. */
const COMMAND_LINE = 'command line'

/** Adds the entry to the center's trail. */
export async function recordAct(
  tx: Queryable,
  { center, name, facts, scopes, by, records = 0, shown = [] }: Act,
): Promise<void> {
  const [head] = await holdHeads(tx, [center])
  if (head === undefined) throw new Error('the center has no head')
  const now = await databaseNow(tx)
  const ids = shown.length === 0 ? undefined : recordListText([...new Set(shown)].sort())
  const list = ids === undefined ? undefined : { hash: recordListHash(ids), ids }
  const content: EntryContent = {
    center_id: center,
    seq: head.seq + 1,
    at: now * 1000,
    batch: randomUUID(),
    public_key: by?.publicKey ?? '',
    app_id: by?.appId ?? '',
    key_name: by?.name ?? COMMAND_LINE,
    operation: name,
    query: new URLSearchParams(facts).toString(),
    scopes: scopes.join(' '),
    records: shown.length || records,
    record_list: list?.hash ?? null,
    revision: 0,
    reads: 1,
    requests: requestLine({ offsetMs: 0, status: 0, requestId: '-' }),
    channel: null,
  }
  const hash = entryHash(content, head.hash)
  const entry = { ...content, previous_hash: head.hash, hash }
  const heads = [{ center_id: center, seq: content.seq, hash }]
  await tx.query(
    insertBatch({
      entries: [entry],
      recordLists: list === undefined ? [] : [{ center_id: center, ...list }],
      heads,
      keys: [],
    }),
  )
}
