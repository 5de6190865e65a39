/** Revokes keys: no instance answers a request that begins afterwards with them. */
import type { Queryable, Transacting } from '../../database/database.ts'
import type { KeyMaking } from './create-key.ts'
import { holdKeys } from './find-keys.ts'
import { iso, type Key, toKey } from './key.ts'
import { type KeyRow, keysNamed, revokeKeys } from './keys-sql.ts'

export interface Revocation {
  /** number of keys revoked now, whether they were active or had expired */
  readonly revoked: number
  /** all keys that `id` names, newest first */
  readonly keys: readonly Key[]
}

/**
 * Revokes keys, also on a full disk. Repeating it is not an error.
 * @param id a public key, or an application identifier for all its keys
 */
export function revokeKey(
  database: Transacting,
  id: string,
  { now, note, center }: Omit<KeyMaking, 'random'> & { readonly center?: string },
): Promise<Revocation> {
  const revoke = async (tx: Queryable) => {
    const named = await holdKeys(tx, id, center)
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
    const rows = await tx.query<KeyRow>(keysNamed(id, center))
    return { revoked: revoked.length, keys: rows.map((row) => toKey(row, now)) }
  }
  return database.transaction(revoke, { space: 'reserve' })
}
