/** Takes a key back: no request that begins afterwards is answered with it, in any instance. */
import type { Database } from '../database/database.ts'
import type { KeyMaking } from './create-key.ts'
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
export function revokeKey(
  database: Database,
  id: string,
  { now, note }: Omit<KeyMaking, 'random'>,
): Promise<Revocation> {
  return database.transaction(async (tx) => {
    const named = await findKeys(tx, id, { lock: true })
    const revoked = await tx.query<{ public_key: string }>(
      revokeKeys(
        named.map((row) => row.public_key),
        iso(now),
      ),
    )
    if (revoked.length > 0) {
      const publicKeys = revoked.map((row) => row.public_key).join(',')
      await note?.(tx, 'revokeKey', toKey(named[0], now), { publicKeys })
    }
    const rows = await tx.query<KeyRow>(keysNamed(id, { lock: false }))
    return { revoked: revoked.length, keys: rows.map((row) => toKey(row, now)) }
  })
}
