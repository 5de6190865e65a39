/**
 * Records an action of a key (`POST /v1/actions/<name>`) as an entry of the trail, in the transaction of the action. It
 * has what the entry of a read has: the key, the scope, the status and the request.
 */
import type { Queryable } from '../database/database.ts'
import { recordListText } from '../database/record-list.ts'
import { appendEntry } from './write/append-entry.ts'

export interface RecordedAction {
  readonly key: {
    readonly center: string
    readonly publicKey: string
    readonly appId: string
    readonly name: string
    /** of its center */
    readonly revision: number
    readonly channel: string | null
  }
  /** the action's operationId */
  readonly operation: string
  /** the object of the action and its details; never a secret */
  readonly facts: Readonly<Record<string, string>>
  readonly scope: string
  readonly requestId: string
  /** the bookings that were shown */
  readonly shown: readonly string[]
}

/** Adds the entry to the center's trail, and notes that the key was used. */
export async function recordAction(
  tx: Queryable,
  { key, operation, facts, scope, requestId, shown }: RecordedAction,
): Promise<void> {
  await appendEntry(tx, key.center, {
    publicKey: key.publicKey,
    appId: key.appId,
    keyName: key.name,
    operation,
    facts,
    scopes: scope,
    revision: key.revision,
    channel: key.channel,
    request: { status: 200, id: requestId },
    ...(shown.length === 0
      ? {}
      : { records: shown.length, recordList: recordListText([...new Set(shown)].sort()) }),
  })
}
