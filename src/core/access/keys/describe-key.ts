/** Sets who answers for the keys of an application, and when their need is reviewed. */
import type { Transacting } from '../../database/database.ts'
import { checkDescription, type NoteKeyAct } from './create-key.ts'
import { findKeys, holdKeys } from './find-keys.ts'
import { type Key, toKey } from './key.ts'
import { setDescription } from './keys-sql.ts'

export interface KeyDescription {
  /** null: there is no name */
  readonly responsible: string | null
  /** local day, `YYYY-MM-DD`; null: no review */
  readonly reviewOn: string | null
}

/**
 * Describes all keys of the application, also those that have ended.
 * @param id an application identifier, or one of its public keys
 * @returns its newest key
 * @throws {KeyError}
 */
export function describeKey(
  database: Transacting,
  id: string,
  description: { readonly [Name in keyof KeyDescription]?: KeyDescription[Name] | undefined },
  { now, note, center }: { readonly now: number; readonly note?: NoteKeyAct; readonly center?: string },
): Promise<Key> {
  checkDescription(description)
  return database.transaction(async (tx) => {
    const [{ app_id: appId }] = await findKeys(tx, id, center)
    const keys = await holdKeys(tx, appId, center)
    const [newest] = keys
    const { responsible: named = newest.responsible, reviewOn = newest.review_on } = description
    const responsible = named?.trim() ?? null
    await tx.query(
      setDescription(
        keys.map((row) => row.public_key),
        { responsible, reviewOn },
      ),
    )
    const key = toKey({ ...newest, responsible, review_on: reviewOn }, now)
    await note?.(tx, 'describeKey', key, {
      reviewOn: reviewOn ?? 'none',
      responsible: responsible ?? 'none',
    })
    return key
  })
}
