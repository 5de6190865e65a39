/**
 * Prunes the trail: once a day, the service deletes entries older than the configured number of days, and records this
 * in the trail. `trail-months.ts` removes whole months.
 */
import type { FastifyBaseLogger } from 'fastify'
import type { Database, Queryable } from '../database/database.ts'
import { DAY_MS } from '../locale/civil.ts'
import { type Entry, entryHash } from './entry.ts'
import { type HeadRow, lockHeads, selectAuditedCenters } from './heads-sql.ts'
import {
  mayPruneTrail,
  type OldestRow,
  replaceOldest,
  selectCentersToPrune,
  selectNewestRead,
  selectOldest,
  takePruningLock,
} from './prune-trail-sql.ts'
import { pruningContent } from './pruning.ts'
import { dropMonths, ownsPartitions, PRUNING_LOCK, prepareMonths } from './trail-months.ts'
import { CENTERS_AT_ONCE, judgeClock } from './verify/plausible-clock.ts'
import { newBatchId } from './write/batch.ts'

/** Entries pruned at once. The center's reads are not written in the meantime. */
const PIECE = 2000

/**
 * Entries deleted in one run where whole months can be dropped. A larger trail is pruned by the month, so a run costs about
 * the same however large the trail is.
 */
const DELETED_MAX = 200_000

export interface PruningResult {
  /** number of entries deleted */
  readonly entries: number
  /** whether entries older than the limit remain, which the next run removes, or their month */
  readonly left: boolean
  /**
   * days by which the database's clock is ahead of the trail, in which case nothing was pruned; 0 if it is plausible
   */
  readonly daysAhead: number
  /** days by which the trail's newest time is ahead of the database's clock; 0 if it is plausible */
  readonly daysBehind: number
}

export interface PruningOptions {
  readonly days: number
  /** entries that are deleted one by one; larger trails are removed by the month */
  readonly deletedMax?: number
}

/**
 * Deletes old entries by the database's clock, from the beginning of each center's chain, and stores the hash that the
 * rest is chained to: months of which all entries are old as a whole, then the others one by one. Does nothing if the clock
 * is implausibly ahead of the trail. The newest read of each center is retained. Skips a center while another instance prunes.
 */
export async function pruneTrail(
  database: Database,
  { days, deletedMax = DELETED_MAX }: PruningOptions,
): Promise<PruningResult> {
  const isOwner = await ownsPartitions(database)
  const rows = await database.query<{ center_id: string }>(selectAuditedCenters)
  const centers = rows.map(({ center_id }) => center_id)
  const { now, ...clock } = await judgeClock(database, centers, days)
  if (clock.daysAhead > 0) return { entries: 0, left: false, ...clock }
  if (isOwner) await prepareMonths(database)
  const age = { days, now }
  let entries = isOwner ? await dropMonths(database, age) : 0
  let room = isOwner ? deletedMax : Number.POSITIVE_INFINITY
  let left = false
  for await (const center of centersToPrune(database, centers, age)) {
    for (let count = PIECE; count === PIECE && !left; ) {
      left = room <= 0
      if (left) break
      count = await prunePiece(database, center, age)
      entries += count
      room -= count
    }
    if (left) break
  }
  return { entries, left, ...clock }
}

async function* centersToPrune(
  database: Database,
  centers: readonly string[],
  { days, now }: Age,
): AsyncGenerator<string> {
  const before = new Date(now - days * DAY_MS).toISOString()
  for (let from = 0; from < centers.length; from += CENTERS_AT_ONCE) {
    const piece = centers.slice(from, from + CENTERS_AT_ONCE)
    const found = await database.query<{ center_id: string }>(selectCentersToPrune(piece, before))
    for (const { center_id } of found) yield center_id
  }
}

interface Age {
  readonly days: number
  /** epoch ms by the database's clock */
  readonly now: number
}

function prunePiece(database: Database, center: string, age: Age): Promise<number> {
  return database.transaction(async (tx) => {
    const [lock] = await tx.query<{ taken: boolean }>(takePruningLock(PRUNING_LOCK))
    if (!lock?.taken) return 0
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
 * Entries are deleted only from the beginning of the chain: an entry whose time is too early waits for those before it.
 * An entry with a time in the future was written by a clock that was ahead; it counts as old if an old entry follows
 * it.
 */
async function oldEntries(tx: Queryable, center: string, { days, now }: Age): Promise<OldestRow[]> {
  const before = now - days * DAY_MS
  const oldest = await tx.query<OldestRow>(selectOldest(center, PIECE))
  const [newestRead] = await tx.query<{ seq: number }>(selectNewestRead(center))
  const retained = oldest.findIndex(
    ({ seq, at }) => (at >= before && at <= now) || seq === (newestRead?.seq ?? seq),
  )
  const candidates = retained < 0 ? oldest : oldest.slice(0, retained)
  return candidates.slice(0, candidates.findLastIndex(({ at }) => at < before) + 1)
}

function pruningEntry(head: HeadRow, old: readonly OldestRow[], last: OldestRow, { days, now }: Age): Entry {
  const before = now - days * DAY_MS
  const content = pruningContent(
    { center_id: head.center_id, seq: head.seq + 1, at: now * 1000, batch: newBatchId() },
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
  /** number of entries deleted because of their age */
  pruned: number
  /** number of times that nothing was pruned because the database's clock was implausible */
  refused: number
  /** whether the clock was implausible, ahead or behind, at the last check */
  clockImplausible: boolean
}

export interface Pruner {
  readonly numbers: PruningNumbers
  /** Prunes once and logs the result. */
  prune(): Promise<void>
}

/** @param options `days`: how long entries are stored */
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
      const [role] = await database.query<{ may: boolean }>(mayPruneTrail)
      if (role?.may === false) {
        log.info(
          { days },
          'the audit trail is pruned by "sojourn audit prune", because the role of the service may not',
        )
        return
      }
      const { entries, left, daysAhead, daysBehind } = await pruneTrail(database, { days })
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
      if (left)
        log.info({ days }, 'older entries of the audit trail remain, and are removed with their month')
    },
  }
}
