/** Entries are kept so many days; the service takes out older ones once a day. */
import type { FastifyBaseLogger } from 'fastify'
import type { Database } from '../database/database.ts'
import { type HeadRow, lockHeads, selectAuditedCenters } from './heads-sql.ts'
import { deleteEntries, selectOldest, takePruningTurn } from './prune-trail-sql.ts'

const DAY_MS = 86_400_000
/** A start has better to do; and instances that start together have gone apart a little by then. */
const FIRST_MS = 60_000
/** So many at once: a center's reads are not written meanwhile. */
const PIECE = 2000

// Any fixed number will do; this one spells "prun".
const LOCK = 0x7072756e

/**
 * Takes out what is older, from the beginning of each center's chain, and notes what the rest is chained to.
 * Another instance that prunes just now is left to it.
 * @returns how many entries were taken out
 */
export async function pruneTrail(
  database: Database,
  { days, now }: { readonly days: number; readonly now: number },
): Promise<number> {
  const before = now - days * DAY_MS
  const centers = await database.query<{ center_id: string }>(selectAuditedCenters)
  let pruned = 0
  for (const { center_id } of centers) {
    while (true) {
      const count = await prunePiece(database, center_id, before)
      pruned += count
      if (count < PIECE) break
    }
  }
  return pruned
}

function prunePiece(database: Database, center: string, before: number): Promise<number> {
  return database.transaction(async (tx) => {
    const [turn] = await tx.query<{ taken: boolean }>(takePruningTurn(LOCK))
    if (!turn?.taken) return 0
    const [head] = await tx.query<HeadRow>(lockHeads([center]))
    if (head === undefined) return 0
    const oldest = await tx.query<{ seq: number; at: number; hash: string }>(
      selectOldest(center, { seq: head.pruned_seq, limit: PIECE }),
    )
    // Only from the beginning: an entry of an instance whose clock is behind waits for those before it.
    const kept = oldest.findIndex((entry) => entry.at >= before)
    const old = kept < 0 ? oldest : oldest.slice(0, kept)
    const last = old.at(-1)
    if (last === undefined) return 0
    await tx.query(deleteEntries(center, last))
    return old.length
  })
}

/** Prunes once a day from now on. @returns what stops it */
export function startPruning(options: {
  readonly database: Database
  readonly days: number
  readonly clock: () => number
  readonly log: Pick<FastifyBaseLogger, 'error' | 'info'>
}): () => void {
  const { database, days, clock, log } = options
  const prune = async () => {
    try {
      const entries = await pruneTrail(database, { days, now: clock() })
      if (entries > 0) log.info({ entries, days }, 'old entries of the audit trail pruned')
    } catch (error) {
      log.error(
        { name: error instanceof Error ? error.name : typeof error },
        'the audit trail was not pruned',
      )
    }
  }
  let timer = setTimeout(function daily() {
    void prune()
    timer = setTimeout(daily, DAY_MS).unref()
  }, FIRST_MS).unref()
  return () => clearTimeout(timer)
}
