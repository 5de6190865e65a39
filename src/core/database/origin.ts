/**
 * Whether the numbers of transactions in the database are those of its own server. A restore of a dump brings the numbers
 * of another one. If the new server gives such a number once more, the commit is taken for one that is noted already: the
 * revision does not move, cached answers stay, and the change feed is silent.
 */
import type { Queryable } from './database.ts'
import * as statements from './origin-sql.ts'

/** Name of the step, as `migrate` reports it. */
export const NEW_HISTORY = 'new-history'

interface Origin {
  /** undefined if none is stored */
  readonly stored: string | undefined
  /** identifier of this server's data, which a physical copy shares; undefined if the role may not read it */
  readonly own: string | undefined
  /** whether numbers are stored that this server has not given yet: a physical copy that is older than the dump */
  readonly isAhead: boolean
}

/** Whether the numbers must be removed before anything is written. */
export async function isFromElsewhere(database: Queryable): Promise<boolean> {
  const origin = await readOrigin(database)
  return origin !== undefined && differs(origin)
}

/**
 * Removes the numbers of another server and begins a new history: older cursors return 410. Stores the server.
 * @returns whether that was necessary
 */
export async function settleOrigin(tx: Queryable): Promise<boolean> {
  const origin = await readOrigin(tx)
  if (origin === undefined) return false
  const isForeign = differs(origin)
  if (isForeign) {
    await tx.query(statements.truncateNumbers)
    await tx.query(statements.updateHistories)
  }
  if (origin.own !== undefined && origin.own !== origin.stored) {
    await tx.query(statements.upsertOrigin(origin.own))
  }
  return isForeign
}

/** Cursors of before are a 410. */
export const beginNewHistory = (tx: Queryable): Promise<unknown> => tx.query(statements.updateHistories)

const differs = ({ stored, own, isAhead }: Origin): boolean =>
  isAhead || (stored !== undefined && own !== undefined && stored !== own)

/** @returns undefined for a schema of before there was such a table */
async function readOrigin(database: Queryable): Promise<Origin | undefined> {
  const [can] = await database.query<{ has_table: boolean; may_read: boolean }>(
    statements.selectOriginPrivileges,
  )
  if (!can?.has_table) return undefined
  const [own] = can.may_read ? await database.query<{ id: string }>(statements.selectOwnOrigin) : []
  const [stored] = await database.query<{ id: string }>(statements.selectStoredOrigin)
  const [numbers] = await database.query<{ ahead: boolean }>(statements.selectIsAhead)
  return { stored: stored?.id, own: own?.id, isAhead: numbers?.ahead ?? false }
}
