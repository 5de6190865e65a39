/** Shows a key, or all keys of an application. */
import type { Database } from '../../database/database.ts'
import { findKeys } from './find-keys.ts'
import { type Key, toKey } from './key.ts'

/** The keys, newest first. @param id an application identifier or a public key */
export async function showKey(database: Database, id: string, { now }: { now: number }): Promise<Key[]> {
  const rows = await findKeys(database, id)
  return rows.map((row) => toKey(row, now))
}
