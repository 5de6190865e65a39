/** A center that somebody names, and what to say where there is none. */
import type { Queryable } from '../../database/database.ts'
import { NoSuchCenter } from '../../errors/no-such-center.ts'
import { centerIds, centerZone } from './centers-sql.ts'

const SUGGESTIONS_FROM = 10_000

/**
 * The time zone of a center.
 * @throws {NoSuchCenter}
 */
export async function readCenterZone(database: Queryable, centerId: string): Promise<string> {
  const [center] = await database.query<{ timezone: string }>(centerZone(centerId))
  if (center !== undefined) return center.timezone
  throw await noSuchCenter(database, centerId)
}

/** What to throw where a center was named that is not there. */
export async function noSuchCenter(database: Queryable, wanted: string): Promise<NoSuchCenter> {
  const rows = await database.query<{ center_id: string }>(centerIds(SUGGESTIONS_FROM))
  return new NoSuchCenter(
    wanted,
    rows.map((row) => row.center_id),
  )
}
