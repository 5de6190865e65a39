/** Records in the trail that all records of a center are exported, before the first one is read. */

import { READING_SCOPES } from '../../access/keys/scopes.ts'
import { recordAct } from '../../audit/record-act.ts'
import type { Database } from '../../database/database.ts'
import type { CenterId } from '../../records/centers/center.ts'
import type { ExportOptions } from './export-records.ts'
import { countBookings } from './export-sql.ts'

/**
 * Adds the entry, with the number of the center's bookings. An export with the trail contains this entry, so the trail
 * that is exported ends like the one that remains.
 */
export async function recordExport(
  database: Database,
  center: CenterId,
  { keys = false, audit = false }: Pick<ExportOptions, 'keys' | 'audit'>,
): Promise<void> {
  const [row] = await database.query<{ bookings: number }>(countBookings(center))
  const facts = { ...(keys && { keys: 'true' }), ...(audit && { audit: 'true' }) }
  await database.transaction((tx) =>
    recordAct(tx, {
      center,
      name: 'exportRecords',
      facts,
      scopes: READING_SCOPES,
      records: row?.bookings ?? 0,
    }),
  )
}
