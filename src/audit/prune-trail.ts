/** Entries are kept so many days; the service takes out older ones once a day, and writes into the trail that it did. */
import { randomUUID } from 'node:crypto'
import type { FastifyBaseLogger } from 'fastify'
import type { Database, Queryable } from '../database/database.ts'
import { DAY_MS } from '../locale/civil.ts'
import { type Entry, entryHash } from './entry.ts'
import { type HeadRow, lockHeads, selectAuditedCenters } from './heads-sql.ts'
import { judgeClock } from './plausible-clock.ts'
import {
  type OldestRow,
  replaceOldest,
  selectNewestRead,
  selectOldest,
  takePruningTurn,
} from './prune-trail-sql.ts'
import { pruningContent } from './pruning.ts'

/** So many at once: a center's reads are not written meanwhile. */
const PIECE = 2000

// Any fixed number will do; this one spells "prun".
const LOCK = 0x7072756e

export interface PruningResult {
  /** how many entries were taken out */
  readonly entries: number
  /** days that the database's clock is ahead of the trail: nothing was pruned then; 0 where it is plausible */
  readonly daysAhead: number
  /** days that the trail's newest moment is ahead of the database's clock; 0 where it is plausible */
  readonly daysBehind: number
}

/**
 * Takes out what is older by the database's clock, from the beginning of each center's chain, and notes what the
 * rest is chained to. Refuses where the clock has stepped further than a trail in use ever pauses. The newest read
 * of a center stays. Another instance that prunes just now is left to it.
 */
export async function pruneTrail(
  database: Database,
  { days }: { readonly days: number },
): Promise<PruningResult> {
  const { now, ...clock } = await judgeClock(database, days)
  if (clock.daysAhead > 0) return { entries: 0, ...clock }
  const centers = await database.query<{ center_id: string }>(selectAuditedCenters)
  let entries = 0
  for (const { center_id } of centers) {
    while (true) {
      const count = await prunePiece(database, center_id, { days, now })
      entries += count
      if (count < PIECE) break
    }
  }
  return { entries, ...clock }
}

interface Age {
  readonly days: number
  /** epoch ms by the database's clock */
  readonly now: number
}

function prunePiece(database: Database, center: string, age: Age): Promise<number> {
  return database.transaction(async (tx) => {
    const [turn] = await tx.query<{ taken: boolean }>(takePruningTurn(LOCK))
    if (!turn?.taken) return 0
    const [head] = await tx.query<HeadRow>(lockHeads([center]))
    if (head === undefined) return 0
    const old = await oldEntries(tx, center, age)
    const last = old.at(-1)
    if (last === undefined) return 0
    await tx.query(replaceOldest(center, last, pruningEntry(head, old, last, age)))
    return old.length
  })
}

/**
 * Only from the beginning: an entry whose moment is behind waits for those before it. One whose moment is still to
 * come was written by a clock that was ahead; it is as old as what was written before an old one.
 */
async function oldEntries(tx: Queryable, center: string, { days, now }: Age): Promise<OldestRow[]> {
  const before = now - days * DAY_MS
  const oldest = await tx.query<OldestRow>(selectOldest(center, PIECE))
  const [newestRead] = await tx.query<{ seq: number }>(selectNewestRead(center))
  const kept = oldest.findIndex(
    ({ seq, at }) => (at >= before && at <= now) || seq === (newestRead?.seq ?? seq),
  )
  const candidates = kept < 0 ? oldest : oldest.slice(0, kept)
  return candidates.slice(0, candidates.findLastIndex(({ at }) => at < before) + 1)
}

function pruningEntry(head: HeadRow, old: readonly OldestRow[], last: OldestRow, { days, now }: Age): Entry {
  const before = now - days * DAY_MS
  const content = pruningContent(
    { center_id: head.center_id, seq: head.seq + 1, at: now * 1000, batch: randomUUID() },
    {
      through: last.seq,
      hash: last.hash,
      entries: old.length,
      reads: old.reduce((sum, { reads }) => sum + reads, 0),
      days,
      before,
      newest: Math.max(...old.map(({ at }) => at).filter((at) => at < before)),
    },
  )
  return { ...content, previous_hash: head.hash, hash: entryHash(content, head.hash) }
}

export interface PruningNumbers {
  /** entries taken out for their age */
  pruned: number
  /** how often nothing was pruned, because the database's clock could not be believed */
  refused: number
  /** whether the last judgement found the clock implausible, ahead or behind */
  clockImplausible: boolean
}

export interface Pruner {
  readonly numbers: PruningNumbers
  /** Prunes once, and says what came of it in the log. Never rejects. */
  prune(): Promise<void>
}

export function createPruner(options: {
  readonly database: Database
  readonly days: number
  readonly log: Pick<FastifyBaseLogger, 'error' | 'info'>
}): Pruner {
  const { database, days, log } = options
  const numbers: PruningNumbers = { pruned: 0, refused: 0, clockImplausible: false }
  return {
    numbers,
    async prune() {
      try {
        const { entries, daysAhead, daysBehind } = await pruneTrail(database, { days })
        numbers.pruned += entries
        numbers.clockImplausible = daysAhead + daysBehind > 0
        if (daysAhead > 0) {
          numbers.refused += 1
          log.error(
            { daysAhead },
            'the audit trail was not pruned: the database’s clock is too far ahead of the newest entries; check it',
          )
        } else if (daysBehind > 0) {
          log.error(
            { daysBehind },
            'the audit trail has entries from the future: the database’s clock is behind, or was ahead; check it',
          )
        }
        if (entries > 0) log.info({ entries, days }, 'pruned old entries of the audit trail')
      } catch (error) {
        log.error(
          { name: error instanceof Error ? error.name : typeof error },
          'the audit trail was not pruned',
        )
      }
    },
  }
}
