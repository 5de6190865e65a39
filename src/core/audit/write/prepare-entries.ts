/** Converts reads to entries of the trail, without their positions in the chain, which depend on the head. */

import { SCOPES } from '../../access/keys/scopes.ts'
import type { RecordsRead } from '../../answer/read-event.ts'
import { type EntryContent, recordListHash, requestLine } from '../entry.ts'
import type { ReadGroup } from './read-queue.ts'

export interface PreparedEntry {
  readonly content: Omit<EntryContent, 'seq'>
  /** epoch ms of its last read */
  readonly lastAt: number
  /** the text whose hash is `content.record_list` */
  readonly recordList: string | null
}

/** @param batch identifier of the batch, for all entries */
export function prepareEntries(groups: readonly ReadGroup[], batch: string): PreparedEntry[] {
  return groups.map((group) => {
    const { event } = group
    const { key, records, requiredScopes } = event
    const requests = group.requestIds.map((requestId, index) =>
      requestLine({
        offsetMs: group.offsetsMs[index] ?? 0,
        status: group.statuses[index] ?? 0,
        requestId,
      }),
    )
    const needed = new Set(requiredScopes.map((need) => need.scope))
    return {
      lastAt: group.at + (group.offsetsMs.at(-1) ?? 0),
      recordList: records.list ?? null,
      content: {
        center_id: key.center,
        at: group.at * 1000,
        batch,
        public_key: key.publicKey,
        app_id: key.appId,
        key_name: key.name,
        operation: event.operation.name,
        query: group.query,
        scopes: SCOPES.filter((scope) => needed.has(scope)).join(' '),
        records: records.count,
        record_list: hashOf(records),
        revision: event.revision,
        reads: requests.length,
        requests: requests.join('\n'),
        channel: key.channel,
      },
    }
  })
}

/** A cached answer is read repeatedly. The hash of its list is computed once, and is freed with the answer. */
const hashes = new WeakMap<RecordsRead, string>()

function hashOf(records: RecordsRead): string | null {
  if (records.list === undefined) return null
  let hash = hashes.get(records)
  if (hash === undefined) {
    hash = recordListHash(records.list)
    hashes.set(records, hash)
  }
  return hash
}
