/** Finds keys by application identifier or public key. */
import type { Queryable } from '../../database/database.ts'
import { KeyError } from './key.ts'
import { type KeyRow, keysNamed, lockKeysNamed } from './keys-sql.ts'
import { parseApiKey, parseAppId, parsePublicKey, parseSecretKey } from './token.ts'

/**
 * The keys, newest first.
 * @param center only keys of this center
 * @throws {KeyError} if there is none, or the text cannot name a key
 */
export async function findKeys(
  database: Queryable,
  id: string,
  center?: string,
): Promise<[KeyRow, ...KeyRow[]]> {
  if (parseApiKey(id) !== undefined || parseSecretKey(id) !== undefined) {
    throw new KeyError('This is a secret. Give the appId or the publicKey of the key instead.')
  }
  if (parseAppId(id) === undefined && parsePublicKey(id) === undefined) {
    throw new KeyError(
      `${JSON.stringify(id.slice(0, 60))} is not a valid appId (sjn_app_…) or publicKey (sjn_pk_…), perhaps because of a typing error; "sojourn keys list" lists them.`,
    )
  }
  const [first, ...more] = await database.query<KeyRow>(keysNamed(id, center))
  if (first === undefined) throw new KeyError(`There is no key ${id}; "sojourn keys list" lists all keys.`)
  return [first, ...more]
}

/**
 * The same keys, which nobody else can change until the transaction ends. A key that a rotation made while this
 * transaction waited for it is among them.
 * @throws {KeyError} as `findKeys` does
 */
export async function holdKeys(tx: Queryable, id: string, center?: string): Promise<[KeyRow, ...KeyRow[]]> {
  await tx.query(lockKeysNamed(id, center))
  return findKeys(tx, id, center)
}
