/**
 * Reads a center's changes after a cursor without missing any: the basis of `GET /changes`, the stream and webhooks.
 * Pure, except for `readChanges`, which reads the database.
 */

import type { Database } from '../database/database.ts'
import type { CenterId } from '../records/centers/center.ts'
import { type Change, type ChangeRow, toChange } from './change.ts'
import { type Cursor, judgeCursor, type Position, readCursor, writeCursor } from './cursor.ts'
import { selectFeed, selectFeedEnd } from './feed-sql.ts'

/** A change of one record in one commit. */
export interface Note {
  readonly revision: number
  /** time of the commit, epoch ms */
  readonly committedAt: number
  readonly change: Change
  /** whether the guest is now in the requested session; undefined if none was requested */
  readonly inSession: boolean | undefined
  /** Returns the cursor after this change. */
  cursor(): string
}

export type Feed =
  | {
      readonly outcome: 'read'
      /** in commit order */
      readonly notes: readonly Note[]
      /** the cursor after all of them */
      readonly cursor: string
      /** whether there is more to read already */
      readonly more: boolean
      /** the newest revision of the center at the time of reading */
      readonly revision: number
    }
  /** The text is not a cursor of this center. */
  | { readonly outcome: 'forged' }
  /** Commits after it are no longer known, or it is from another history of the center: the client must start again. */
  | { readonly outcome: 'gone'; readonly why: 'pruned' | 'history' }

/** The values of `selectFeed` in their order; `selectFeedEnd` has the first five. */
type FeedRow = readonly [
  revision: number,
  newestAt: number | null,
  history: string,
  oldest: number | null,
  commitAtPosition: number | null,
  lastRevision: number | null,
  lastAt: number | null,
  notes: readonly NoteRow[],
]

type NoteRow = readonly [revision: number, at: number, inSession: boolean | null, ...change: ChangeRow]

type Rows = readonly (readonly unknown[])[]

// The driver returns untyped values; the comment of the statement documents them.
const asFeed = (rows: Rows) => rows[0] as FeedRow | undefined

/**
 * The changes of a center after a cursor, at most `limit`. Without a cursor, no changes and the current cursor.
 * @throws {DatabaseUnavailable}
 */
export async function readChanges(
  database: Pick<Database, 'queryArrays'>,
  center: CenterId,
  cursor: string | undefined,
  limit: number,
): Promise<Feed> {
  if (cursor === undefined) return feedEnd(center, await database.queryArrays(selectFeedEnd(center)))
  const position = readCursor(center, cursor)
  if (position === undefined) return { outcome: 'forged' }
  return feedAfter(
    center,
    position,
    limit,
    await database.queryArrays(selectFeed(center, position, limit, undefined)),
  )
}

/** @param rows of `selectFeedEnd` */
export function feedEnd(center: CenterId, rows: Rows): Feed {
  const [revision] = asFeed(rows) ?? [0]
  return { outcome: 'read', notes: [], cursor: newestCursor(center, rows), more: false, revision }
}

/** @param rows of `selectFeedEnd`, or rows that begin with its values */
export function newestCursor(center: CenterId, rows: Rows): string {
  const [revision, newestAt, history] = asFeed(rows) ?? [0, 0, '']
  return writeCursor(center, history, { revision, offset: 0, at: newestAt ?? 0 })
}

/**
 * Why a cursor cannot be continued; undefined if it can.
 * @param rows of `selectFeedState` for the same position
 */
export const judgePosition = (position: Cursor, rows: Rows): Exclude<Feed, { outcome: 'read' }> | undefined =>
  whyGone(position, asFeed(rows))

/** @param rows of `selectFeed` for the same position and limit */
export function feedAfter(center: CenterId, position: Cursor, limit: number, rows: Rows): Feed {
  const row = asFeed(rows)
  const lost = whyGone(position, row)
  if (row === undefined || lost !== undefined) return lost ?? { outcome: 'gone', why: 'history' }
  const [revision, , history, , , lastRevision, lastAt, found] = row
  const write = (to: Position) => writeCursor(center, history, to)
  const notes = found.slice(0, limit).map((note, at) => {
    const [of, committed, inSession, ...change] = note
    return {
      revision: of,
      committedAt: Math.floor(committed / 1000),
      change: toChange(change),
      inSession: inSession ?? undefined,
      cursor: () => write(positionAfter(found, at, position)),
    }
  })
  const truncated = found.length > limit
  // Everything found is returned, so the last commit examined was read completely.
  const end = { revision: lastRevision ?? position.revision, offset: 0, at: lastAt ?? position.at }
  const cursor = truncated ? notes.at(-1)!.cursor() : write(end)
  return { outcome: 'read', notes, cursor, more: truncated || end.revision < revision, revision }
}

/** The position after the change at index `at`. */
function positionAfter(found: readonly NoteRow[], at: number, from: Position): Position {
  const [revision, committed] = found[at]!
  const next = found[at + 1]
  if (next !== undefined && next[0] > revision) return { revision, offset: 0, at: committed }
  const first = found.findIndex((note) => note[0] === revision)
  const before = revision === from.revision + 1 ? from.offset : 0
  return { revision: revision - 1, offset: before + at - first + 1, at: committed }
}

/** Why nothing can be read after a position; undefined if it can be read. */
function whyGone(position: Cursor, row: FeedRow | undefined): Exclude<Feed, { outcome: 'read' }> | undefined {
  if (row === undefined) return { outcome: 'gone', why: 'history' }
  const [revision, , history, oldest, commitAtPosition] = row
  const judged = judgeCursor(position, history)
  if (judged === 'forged') return { outcome: 'forged' }
  // A copy of the database older than the cursor has another commit, or none, at its position.
  const revisionAt = position.offset === 0 ? position.revision : position.revision + 1
  const isOther =
    judged === 'other' ||
    revisionAt > revision ||
    (commitAtPosition !== null && commitAtPosition !== position.at)
  if (isOther) return { outcome: 'gone', why: 'history' }
  if (position.revision < revision && (oldest === null || oldest > position.revision + 1)) {
    return { outcome: 'gone', why: 'pruned' }
  }
  return undefined
}
