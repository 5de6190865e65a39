/**
 * The next message of a webhook. Its content (a number of changes after the cursor, and the cursor after them) is fixed
 * before the first attempt, so every attempt sends the same identifier and the same body.
 */
import { hash } from 'node:crypto'
import { readCursor } from '../../core/changes/cursor.ts'
import { type Note, readChanges } from '../../core/changes/read-feed.ts'
import type { Database } from '../../core/database/database.ts'
import { isoMoment } from '../../core/locale/dates.ts'
import { centerId } from '../../core/records/centers/center.ts'
import type { FeedEntry } from '../changes/change-schema.ts'
import { presentNote } from '../changes/present-changes.ts'
import { kindsReported } from './webhook.ts'
import type { WebhookRow } from './webhooks-sql.ts'

/** About 150 bytes each. */
export const CHANGES_MAX = 100

export interface NextMessage {
  /** has the same identifier in every attempt; undefined if none of these changes is for this webhook */
  readonly message: { readonly id: string; readonly body: string; readonly changes: number } | undefined
  /** number of recorded changes in it, and the cursor after them */
  readonly notes: number
  readonly cursor: string
  readonly revision: number
  /** whether there are more changes after it already */
  readonly more: boolean
}

/**
 * The message after a webhook's cursor: the one fixed earlier, or a new one.
 * @returns undefined if nothing has changed
 * @throws {DatabaseUnavailable}
 */
export async function nextMessage(
  database: Pick<Database, 'queryArrays'>,
  webhook: WebhookRow,
): Promise<NextMessage | undefined> {
  const center = centerId(webhook.center_id)
  const settled = webhook.pending_notes
  const feed = await readChanges(database, center, webhook.cursor, settled ?? CHANGES_MAX)
  if (feed.outcome !== 'read') return startAgain(database, webhook)
  const cursor = webhook.pending_cursor ?? feed.cursor
  if (cursor === webhook.cursor) return undefined
  const place = { notes: feed.notes.length, cursor, revision: revisionOf(webhook, cursor), more: feed.more }
  const changes = feed.notes.flatMap((note) => entryOf(note, webhook) ?? [])
  if (changes.length === 0) return { ...place, message: undefined }
  const id = messageId(webhook, String(feed.notes.length), cursor)
  const at = feed.notes.at(-1)?.committedAt ?? 0
  return {
    ...place,
    message: { id, body: bodyOf('changes', at, { changes, cursor }), changes: changes.length },
  }
}

/** The changes after the cursor are no longer available. */
async function startAgain(
  database: Pick<Database, 'queryArrays'>,
  webhook: WebhookRow,
): Promise<NextMessage> {
  const newest = await readChanges(database, centerId(webhook.center_id), undefined, 0)
  if (newest.outcome !== 'read') throw new Error('a center’s newest cursor could not be read')
  const cursor = (webhook.pending_notes === 0 ? webhook.pending_cursor : null) ?? newest.cursor
  const id = messageId(webhook, 'again', cursor)
  // The time of no commit: since when the receiver is behind is unknown.
  const body = bodyOf('readAgain', webhook.created_at, { cursor })
  return {
    message: { id, body, changes: 0 },
    notes: 0,
    cursor,
    revision: revisionOf(webhook, cursor),
    more: false,
  }
}

/** Contains what to read, never the data itself. */
type ThinEntry = Pick<FeedEntry, 'kind' | 'id' | 'operation' | 'groups' | 'at'>

function entryOf(note: Note, webhook: WebhookRow): ThinEntry | undefined {
  const { scopes } = webhook
  const question = {
    kinds: kindsReported(webhook),
    sessionId: undefined,
    scopes,
    readsCustomFields: false,
    zone: 'UTC',
  }
  const entry = presentNote(note, question)
  if (entry === undefined) return undefined
  const { kind, id, operation, groups, at } = entry
  return { kind, id, operation, groups, at }
}

/**
 * A body in the form recommended by the Standard Webhooks specification.
 * @param at epoch ms of the event
 */
export const bodyOf = (type: 'changes' | 'readAgain' | 'test', at: number, data: object): string =>
  JSON.stringify({ type, timestamp: isoMoment(at), data })

/**
 * The cursor after the message is part of it: a database that has lost commits may have as many other ones after the same
 * cursor, which a receiver must not take for those that it has.
 */
const messageId = ({ id, cursor }: WebhookRow, what: string, after: string) =>
  `msg_${hash('sha256', `${id}\n${cursor}\n${what}\n${after}`, 'base64url').slice(0, 27)}`

/** The last revision that was read completely. */
const revisionOf = ({ center_id }: WebhookRow, cursor: string) =>
  readCursor(centerId(center_id), cursor)?.revision ?? 0
