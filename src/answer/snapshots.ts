/** Pages that show a list as it was at one place in the changes, whatever is committed while they are read. */
import type { CenterId } from '../centers/center.ts'
import { readCursor } from '../changes/cursor.ts'
import { selectFeedEnd } from '../changes/feed-sql.ts'
import { newestCursor } from '../changes/read-feed.ts'
import { selectTouchedSince } from '../changes/snapshots-sql.ts'
import type { Database, ReadKind } from '../database/database.ts'
import { ApiError } from '../errors/api-error.ts'
import type { Answer, Pin, Rows, Snapshot, SnapshotPlan } from '../request/operation.ts'
import { judgeSnapshot } from '../request/snapshot.ts'

type Reads = Pick<Database, 'queryArrays'>

/** So often a first page is read again that changed while it was read. */
const ATTEMPTS_MAX = 3

/**
 * Reads at the place that was asked for, or at the newest one.
 * @param read rejects with a 409 where what it read has changed since the place
 */
export async function atPin<T>(
  database: Reads,
  center: CenterId,
  plan: SnapshotPlan | undefined,
  read: (pin: Pin | undefined) => Promise<T>,
): Promise<T> {
  if (plan === undefined || plan.pin !== undefined) return read(plan?.pin)
  for (let attempt = 1; ; attempt += 1) {
    // Before the rows: what they show is then never older than it.
    const cursor = newestCursor(center, await database.queryArrays(selectFeedEnd(center)))
    const place = readCursor(center, cursor)
    if (place === undefined) throw new Error('a cursor that was just written cannot be read')
    try {
      return await read({ cursor, place })
    } catch (error) {
      const isMoved = error instanceof ApiError && error.code === 'CONFLICT'
      if (!isMoved || attempt === ATTEMPTS_MAX) throw error
    }
  }
}

/**
 * What an answer says of its snapshot, once its rows were read: that they are those of the place, because nothing that
 * they show has changed since.
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

/** @param ids that are shown. @throws {ApiError} 400, 409, 410 */
export async function checkPin(
  database: Reads,
  center: CenterId,
  plan: SnapshotPlan,
  pin: Pin,
  ids: readonly string[],
): Promise<void> {
  const statement = selectTouchedSince(center, pin.place, plan.madeFrom(ids))
  judgeSnapshot(center, pin, await database.queryArrays(statement))
}

// A driver knows no types of its own; the statement's comment says what comes.
function asProof(rows: Rows): Snapshot['proof'] {
  const [count, digest] = rows[0] as [number, string]
  return { count, digest }
}
