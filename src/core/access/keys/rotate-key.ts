/**
 * Rotates an application's key: same appId, name, scopes and limits, with a new public key and secret. The old ones
 * remain valid for a while.
 */
import type { Transacting } from '../../database/database.ts'
import { checkLifetime, type KeyMaking, type ShowSecret, storeKey } from './create-key.ts'
import { findKeys, holdKeys } from './find-keys.ts'
import { iso, KeyError, type KeyWithSecrets, statusOf } from './key.ts'
import { endKeys } from './keys-sql.ts'

export interface Rotation extends KeyWithSecrets {
  /** the replaced keys, and when each expires */
  readonly replaces: readonly { readonly publicKey: string; readonly expiresAt: string }[]
}

export interface RotationOptions extends KeyMaking {
  /** how long both keys are valid; 0 ends the old one at once */
  readonly overlapMs: number
  /** epoch ms; by default, the new key is valid for as long as the old one was */
  readonly expiresAt?: number | undefined
  /** epoch ms; the new key ends then at the latest */
  readonly endsBy?: number | null
  readonly show?: ShowSecret<Rotation>
  /** only a key of this center */
  readonly center?: string
}

/**
 * Rotates the key. All active keys of the application are given an end.
 * @param id an application identifier, or one of its public keys
 * @throws {KeyError} if the application has no active key, or the new one would be valid for too long
 */
export function rotateKey(database: Transacting, id: string, options: RotationOptions): Promise<Rotation> {
  const { now, overlapMs } = options
  return database.transaction(async (tx) => {
    const [{ app_id: appId }] = await findKeys(tx, id, options.center)
    const keys = await holdKeys(tx, appId, options.center)
    const active = keys.filter((row) => statusOf(row, now) === 'active')
    // The one that expires last, because it has not been replaced yet.
    const model = active.toSorted((a, b) => endOf(b) - endOf(a))[0]
    if (model === undefined) {
      throw new KeyError(`${appId} has no active key; create a new one with "sojourn keys create".`)
    }
    if (options.expiresAt !== undefined && options.expiresAt <= now) {
      throw new KeyError(`The key would already be expired: it would end at ${iso(options.expiresAt)}.`)
    }
    const lifetime = model.expires_at === null ? null : model.expires_at - model.created_at
    const renewed = lifetime === null ? null : now + lifetime
    const wanted = options.expiresAt ?? renewed
    const expiresAt = options.endsBy == null ? wanted : Math.min(wanted ?? options.endsBy, options.endsBy)
    checkLifetime(options, expiresAt)
    const ended = await tx.query<{ public_key: string; expires_at: number }>(
      endKeys(
        active.map((row) => row.public_key),
        iso(now + overlapMs),
      ),
    )
    const key = await storeKey(tx, options, { ...model, expires_at: expiresAt })
    const replaces = ended.map((row) => ({ publicKey: row.public_key, expiresAt: iso(row.expires_at) }))
    const replaced = replaces.map(({ publicKey }) => publicKey).join(',')
    await options.note?.(tx, 'rotateKey', key, { publicKey: key.publicKey, replaces: replaced })
    const rotation = { ...key, replaces }
    await options.show?.(rotation)
    return rotation
  })
}

// A number instead of infinity, because infinities have no difference.
const endOf = (row: { expires_at: number | null }) => row.expires_at ?? Number.MAX_SAFE_INTEGER
