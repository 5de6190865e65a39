/** New halves for an application: same appId, name, scopes and limits; the old ones work for a while yet. */
import type { Database } from '../database/database.ts'
import { type KeyMaking, storeKey } from './create-key.ts'
import { findKeys } from './find-keys.ts'
import { iso, KeyError, type KeyWithSecrets, statusOf } from './key.ts'
import { endKeys } from './keys-sql.ts'

export interface Rotation extends KeyWithSecrets {
  /** the keys it takes the place of, and when each stops working */
  readonly replaces: readonly { readonly publicKey: string; readonly expiresAt: string }[]
}

export interface RotationOptions extends KeyMaking {
  /** how long the old key and the new one both work; 0 ends the old one at once */
  readonly overlapMs: number
  /** epoch ms; left out, a key made for 90 days gets 90 days again */
  readonly expiresAt?: number | undefined
}

/**
 * `id` is an appId or one of its publicKeys; either way every key of the application that is in force ends.
 * @throws {KeyError} where the application has no key in force
 */
export function rotateKey(database: Database, id: string, options: RotationOptions): Promise<Rotation> {
  const { now, overlapMs } = options
  return database.transaction(async (tx) => {
    const [{ app_id: appId }] = await findKeys(tx, id)
    // Rotations of one application wait for each other here; what they did is seen by the reading after it.
    await findKeys(tx, appId, { lock: true })
    const keys = await findKeys(tx, appId)
    const active = keys.filter((row) => statusOf(row, now) === 'active')
    // The one that is not already on its way out.
    const model = active.toSorted((a, b) => endOf(b) - endOf(a))[0]
    if (model === undefined) {
      throw new KeyError(`${appId} has no active key; create a new one with "sojourn keys create".`)
    }
    if (options.expiresAt !== undefined && options.expiresAt <= now) {
      throw new KeyError(`The key would already be expired: it would end at ${iso(options.expiresAt)}.`)
    }
    const lifetime = model.expires_at === null ? null : model.expires_at - model.created_at
    const renewed = lifetime === null ? null : now + lifetime
    const ended = await tx.query<{ public_key: string; expires_at: number }>(
      endKeys(
        active.map((row) => row.public_key),
        iso(now + overlapMs),
      ),
    )
    const key = await storeKey(tx, options, { ...model, expires_at: options.expiresAt ?? renewed })
    const replaces = ended.map((row) => ({ publicKey: row.public_key, expiresAt: iso(row.expires_at) }))
    const replaced = replaces.map(({ publicKey }) => publicKey).join(',')
    await options.note?.(tx, 'rotateKey', key, { publicKey: key.publicKey, replaces: replaced })
    return { ...key, replaces }
  })
}

// Far, but a number: infinities have no difference.
const endOf = (row: { expires_at: number | null }) => row.expires_at ?? Number.MAX_SAFE_INTEGER
