/**
 * Whether no key was ever created, so that nobody can sign in: then the page says how the first administrator gets one. It is
 * asked without a key, so it says nothing but that.
 */
import type { Queryable } from '../../core/database/database.ts'
import { selectHasKeys } from './first-steps-sql.ts'

/** Everybody may ask, so the database is asked at most this often. */
const AGAIN_MS = 1000

/** @param clock epoch ms @returns false if it is not known, as while the database is away */
export function createIsEmpty(database: Queryable, clock: () => number): () => Promise<boolean> {
  let known: Promise<boolean> | undefined
  let askedAt = 0
  let hasKeys = false
  return async () => {
    if (hasKeys) return false
    const now = clock()
    if (known === undefined || now - askedAt >= AGAIN_MS) {
      askedAt = now
      known = database.query<{ hasKeys: boolean }>(selectHasKeys).then(
        ([row]) => {
          // A key counts also after it has ended.
          hasKeys = row?.hasKeys ?? false
          return !hasKeys
        },
        () => false,
      )
    }
    return known
  }
}
