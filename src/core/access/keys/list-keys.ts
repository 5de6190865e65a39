/** The keys of a center, or of all centers. */

import type { Database } from '../../database/database.ts'
import { readCenterZone } from '../../records/centers/find-center.ts'
import { type Key, toKey } from './key.ts'
import { type KeyRow, keysOfCenter } from './keys-sql.ts'

/** The keys by center, in the order of their creation. @throws if there is no such center */
export async function listKeys(
  database: Database,
  options: { centerId?: string | undefined; now: number },
): Promise<Key[]> {
  if (options.centerId !== undefined) await readCenterZone(database, options.centerId)
  const rows = await database.query<KeyRow>(keysOfCenter(options.centerId))
  return rows.map((row) => toKey(row, options.now))
}
