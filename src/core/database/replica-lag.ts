/**
 * How far replicas are behind their primary. A replica's own clock says little: the time of the last commit that it replayed
 * is old too if nothing was written since. So the position of the primary's log is noted, and a replica is behind for as
 * long as it has not replayed the oldest position that was noted.
 */
import type { Sql } from 'sql-template-tag'
import type { Database } from './database.ts'
import { selectReplayedPosition, selectWrittenPosition } from './replicas-sql.ts'

type Asked = Pick<Database, 'query'>

export interface ReplicaLag {
  /**
   * Seconds that the replica furthest behind was behind at the last comparison. Starts the next one, so that nothing is asked
   * while nobody reads the metrics. A replica that does not answer is behind since its last answer.
   */
  seconds(): number
}

interface Position {
  /** of the monotonic clock, in ms */
  readonly at: number
  readonly bytes: number
}

/** Positions that a replica has not replayed. What comes after these does not change the oldest one. */
const MISSING_MAX = 1000

/** @param monotonic milliseconds of a clock that is never set */
export function createReplicaLag(
  primary: Asked,
  replicas: readonly Asked[],
  monotonic: () => number,
): ReplicaLag {
  const followed = replicas.map((database) => ({ database, missing: [] as Position[], ms: 0 }))
  let newest = 0
  let isComparing = false

  const compare = async () => {
    const at = monotonic()
    const bytes = await positionOf(primary, selectWrittenPosition)
    // Another primary that has lost the newest commits writes the same positions again.
    if (bytes < newest) for (const { missing } of followed) missing.length = 0
    newest = bytes
    await Promise.all(
      followed.map(async (replica) => {
        const { database, missing } = replica
        if (missing.length < MISSING_MAX) missing.push({ at, bytes })
        const replayed = await positionOf(database, selectReplayedPosition).catch(() => -1)
        while (missing[0] !== undefined && missing[0].bytes <= replayed) missing.shift()
        replica.ms = missing[0] === undefined ? 0 : monotonic() - missing[0].at
      }),
    )
  }

  return {
    seconds() {
      if (!isComparing) {
        isComparing = true
        // While the primary does not answer, nothing is known that is newer.
        compare()
          .catch(() => {})
          .finally(() => {
            isComparing = false
          })
      }
      return Math.max(0, ...followed.map(({ ms }) => ms)) / 1000
    },
  }
}

/** In bytes; -1 if the server has none. */
async function positionOf(database: Asked, statement: Sql): Promise<number> {
  const [row] = await database.query<{ readonly position: number | null }>(statement)
  return row?.position ?? -1
}
