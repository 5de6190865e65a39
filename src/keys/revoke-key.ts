/** Takes a key back: no request that begins afterwards is answered with it, in any instance. */
import type { Database } from '../database/database.ts'
import { findKeys } from './find-keys.ts'
import { iso, type Key, toKey } from './key.ts'
import { type KeyRow, keysNamed, revokeKeys } from './keys-sql.ts'

export interface Revocation {
  /** how many were in force or only expired until now */
  readonly revoked: number
  /** all that `id` names, newest first */
  readonly keys: readonly Key[]
}

/** `id` is a publicKey, or an appId for all keys of the application. Doing it twice is no error. */
export function revokeKey(database: Database, id: string, { now }: { now: number }): Promise<Revocation> {
  return database.transaction(async (tx) => {
    const named = await findKeys(tx, id, { lock: true })
    const revoked = await tx.query(
      revokeKeys(
        named.map((row) => row.public_key),
        iso(now),
      ),
    )
    const rows = await tx.query<KeyRow>(keysNamed(id, { lock: false }))
    return { revoked: revoked.length, keys: rows.map((row) => toKey(row, now)) }
  })
}
