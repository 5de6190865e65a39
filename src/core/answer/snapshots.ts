/** Pages that show a list as it was at one cursor, whatever is committed while they are read. */

import { readCursor } from '../changes/cursor.ts'
import { selectFeedEnd } from '../changes/feed-sql.ts'
import { newestCursor } from '../changes/read-feed.ts'
import { selectTouchedSince } from '../changes/snapshots-sql.ts'
import type { Database, ReadKind } from '../database/database.ts'
import { ApiError } from '../errors/api-error.ts'
import type { CenterId } from '../records/centers/center.ts'
import type { Answer, Pin, Rows, Snapshot, SnapshotPlan } from '../request/operation.ts'
import { judgeSnapshot } from '../request/snapshot.ts'

type Reads = Pick<Database, 'queryArrays'>

/** How often a first page is read again because it changed while it was read. */
const ATTEMPTS_MAX = 3

/**
 * Reads at the requested cursor, or at the newest one.
 * @param read rejects with a 409 if rows that it read have changed since the cursor
 */
export async function atPin<T>(
  database: Reads,
  center: CenterId,
  plan: SnapshotPlan,
  read: (pin: Pin) => Promise<T>,
): Promise<T> {
  if (plan.pin !== undefined) return read(plan.pin)
  for (let attempt = 1; ; attempt += 1) {
    // The cursor is read before the rows, so they are never older than it.
    const cursor = newestCursor(center, await database.queryArrays(selectFeedEnd(center)))
    const position = readCursor(center, cursor)
    if (position === undefined) throw new Error('a cursor that was just written cannot be read')
    try {
      return await read({ cursor, position })
    } catch (error) {
      const isMoved = error instanceof ApiError && error.code === 'CONFLICT'
      if (!isMoved || attempt === ATTEMPTS_MAX) throw error
    }
  }
}

/**
 * Proves after a read that nothing it shows has changed since the cursor, so its rows are those of the snapshot. The
 * last page also gets the count and digest of the whole list.
 * @throws {ApiError} 400, 409, 410
 */
export async function prove(
  database: Reads,
  center: CenterId,
  plan: SnapshotPlan,
  pin: Pin,
  { page, records }: Pick<Answer, 'page' | 'records'>,
  kind: ReadKind,
): Promise<Snapshot> {
  const isLast = page === undefined || page.start * page.length >= page.total
  const proof = isLast ? asProof(await database.queryArrays(plan.proof(), kind)) : undefined
  await checkPin(database, center, plan, pin, records.ids)
  return { cursor: pin.cursor, proof }
}

/**
 * @param ids the records shown
 * @throws {ApiError} 400, 409, 410
 */
export async function checkPin(
  database: Reads,
  center: CenterId,
  plan: SnapshotPlan,
  pin: Pin,
  ids: readonly string[],
): Promise<void> {
  const statement = selectTouchedSince(center, pin.position, plan.dependencies(ids))
  judgeSnapshot(center, pin, await database.queryArrays(statement))
}

// The driver returns untyped values; the comment of the statement documents them.
function asProof(rows: Rows): Snapshot['proof'] {
  const [count, digest] = rows[0] as [number, string]
  return { count, digest }
}
