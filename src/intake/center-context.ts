/** What writing the records of centers needs to know. */
import type { Queryable } from '../database/database.ts'
import { unknownTimeZones } from './database-zones.ts'
import type { StagedLine } from './stage-sql.ts'
import type { BatchContext } from './write-batch.ts'

/** @param lines of centers */
export async function contextOfCenters(tx: Queryable, lines: readonly StagedLine[]): Promise<BatchContext> {
  const unknown = await unknownTimeZones(tx, lines)
  return {
    // A center's own record depends on none of these facts.
    centerState: () => ({ zone: 'UTC', currency: 'EUR', metaFields: new Map() }),
    verify: ({ timezone }) =>
      typeof timezone === 'string' && unknown.has(timezone)
        ? [{ field: 'timezone', message: `is "${timezone}", which the database does not know` }]
        : [],
    // Deleting a center deletes everything in it, so that waits until the other records have been written.
    keepRemoved: true,
  }
}
