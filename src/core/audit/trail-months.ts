/**
 * The partitions of the trail, one for each month. A month of which all entries are old is dropped as a whole: for each
 * center, an entry records the pruning, and the few entries that must outlive the month are stored again. So it costs some
 * steps for each center, however many entries the month has.
 *
 * The lists of records that only the dropped entries named are deleted afterwards, while the trail is used. Until then, the
 * month remains as a table of its own, so an interrupted pruning continues with the next one.
 */
import type { Database, Queryable } from '../database/database.ts'
import { withShortLocks } from '../database/schema/migration-locks.ts'
import { protectTrail } from '../database/trail-privileges-sql.ts'
import { DAY_MS } from '../locale/civil.ts'
import { entryHash } from './entry.ts'
import { type HeadRow, lockHeads } from './heads-sql.ts'
import { takePruningLock } from './prune-trail-sql.ts'
import { pruningContent } from './pruning.ts'
import type { LastPrunedRow, ListOfMonth, MonthRow, PrunedTo, PruningOfCenter } from './trail-months-sql.ts'
import * as statements from './trail-months-sql.ts'
import { newBatchId } from './write/batch.ts'

/** Months that exist before they are needed. After that, entries are stored in the last partition, and deleted one by one. */
const MONTHS_AHEAD = 6

/** Centers pruned in one statement. */
const CENTERS_AT_ONCE = 500

/** A month of which more must be stored again is not dropped, because that would hold up the trail. */
const OUTLIVING_MAX = 50_000

// Any fixed number works; this one spells "prun".
export const PRUNING_LOCK = 0x7072756e

/** Lists deleted at once. The reads of their centers are not written in the meantime. */
const LISTS_AT_ONCE = 1000

export async function ownsPartitions(database: Queryable): Promise<boolean> {
  const [role] = await database.query<{ owns: boolean }>(statements.ownsTrail)
  return role?.owns === true
}

/** Adds the partitions of the next months that are missing. Only for the owner of the trail. */
export async function prepareMonths(database: Database): Promise<void> {
  await database.transaction(addMonths)
}

export async function addMonths(tx: Queryable): Promise<void> {
  const [months] = await tx.query<{ added: number }>(statements.addMonths(MONTHS_AHEAD))
  if (months !== undefined && months.added > 0) await tx.query(protectTrail)
}

interface Age {
  readonly days: number
  /** epoch ms by the database's clock */
  readonly now: number
}

/**
 * Drops the months of which all entries are older than the limit. Only for the owner of the trail.
 * @returns the number of entries pruned
 */
export async function dropMonths(database: Database, age: Age): Promise<number> {
  const before = new Date(age.now - age.days * DAY_MS).toISOString()
  let entries = 0
  for (const month of await database.query<MonthRow>(statements.selectMonthsBefore(before))) {
    let count = 0
    const work = async (tx: Queryable) => {
      // Another instance may have dropped it in the meantime.
      const months = await tx.query<MonthRow>(statements.selectMonthsBefore(before))
      count = months.some(({ name }) => name === month.name) ? await detach(tx, month, age) : 0
    }
    await withShortLocks(database, `dropping the month ${month.name} of the audit trail`, work, {})
    entries += count
  }
  for (const { name } of await detachedMonths(database)) await removeDetached(database, name)
  return entries
}

/** Months that were dropped while their lists of records still remain. */
export const detachedMonths = (database: Queryable): Promise<{ readonly name: string }[]> =>
  database.query<{ name: string }>(statements.selectDetachedMonths)

/**
 * Builds the indexes of months that have ended again, which makes them half as large. Only for the owner of the trail, and on a
 * connection without time-outs: a month may take minutes.
 * @returns the number of months
 */
export async function compactMonths(database: Database): Promise<number> {
  const months = await database.query<MonthRow>(statements.selectMonthsToCompact)
  for (const { name } of months) {
    await database.runScript(statements.compactMonth(name))
    await database.query(statements.noteCompact(name))
  }
  return months.length
}

/** @returns the number of entries pruned */
async function detach(tx: Queryable, { name, until }: MonthRow, age: Age): Promise<number> {
  const found = await tx.query<{ center_id: string }>(statements.selectCentersOfMonth(name))
  const all = found.map(({ center_id }) => center_id)
  const pieces: { readonly prunings: readonly PruningOfCenter[]; readonly to: PrunedTo }[] = []
  let outliving = 0
  let entries = 0
  for (const centers of inPieces(all)) {
    const heads = await tx.query<HeadRow>(lockHeads(centers))
    const times = [new Date(until).toISOString(), new Date(age.now).toISOString()] as const
    const ends = await tx.query<LastPrunedRow>(statements.selectLastPruned(centers, ...times))
    const lastOf = new Map(ends.map((row) => [row.center_id, row]))
    const prunings = heads.flatMap((head) => {
      const last = lastOf.get(head.center_id)
      return last === undefined || last.seq <= head.pruned_seq ? [] : [pruningOf(head, last, age)]
    })
    const throughOf = new Map(prunings.map(({ entry, through }) => [entry.center_id, through]))
    const to = { centers, seqs: centers.map((center) => throughOf.get(center) ?? 0) }
    const [count] = await tx.query<{ entries: number }>(statements.countOutliving(name, to))
    outliving += count?.entries ?? 0
    if (outliving > OUTLIVING_MAX) return 0
    const prunedBefore = new Map(heads.map((head) => [head.center_id, head.pruned_seq]))
    for (const { entry, through } of prunings) entries += through - (prunedBefore.get(entry.center_id) ?? 0)
    pieces.push({ prunings, to })
  }
  await tx.query(statements.detachMonth(name))
  for (const { prunings, to } of pieces) {
    await tx.query(statements.keepOutliving(name, to))
    await tx.query(statements.deletePruned(to))
    await tx.query(statements.insertPrunings(prunings))
  }
  return entries
}

function pruningOf(head: HeadRow, last: LastPrunedRow, { days, now }: Age): PruningOfCenter {
  const content = pruningContent(
    { center_id: head.center_id, seq: head.seq + 1, at: now * 1000, batch: newBatchId() },
    {
      through: last.seq,
      hash: last.hash,
      // A chain has no gaps.
      entries: last.seq - head.pruned_seq,
      reads: undefined,
      days,
      before: now - days * DAY_MS,
      newest: last.newest,
    },
  )
  const entry = { ...content, previous_hash: head.hash, hash: entryHash(content, head.hash) }
  return { entry, through: last.seq, hash: last.hash }
}

/** Deletes the lists that only entries of a detached month named, and then the month. Does nothing while another instance does. */
async function removeDetached(database: Database, month: string): Promise<void> {
  let after: ListOfMonth | undefined = { center_id: '', hash: '' }
  while (after !== undefined) {
    const from: ListOfMonth = after
    after = await database.transaction(async (tx) => {
      const [lock] = await tx.query<{ taken: boolean }>(takePruningLock(PRUNING_LOCK))
      const months = lock?.taken ? await detachedMonths(tx) : []
      if (!months.some(({ name }) => name === month)) return undefined
      const lists = await tx.query<ListOfMonth>(statements.selectListsOfMonth(month, from, LISTS_AT_ONCE))
      if (lists.length === 0) {
        await tx.query(statements.dropMonth(month))
        return undefined
      }
      // Nobody names one of them again in the meantime.
      await tx.query(lockHeads([...new Set(lists.map(({ center_id }) => center_id))]))
      await tx.query(statements.deleteUnusedLists(lists))
      return lists.at(-1)
    })
  }
}

function* inPieces(centers: readonly string[]): Generator<readonly string[]> {
  for (let from = 0; from < centers.length; from += CENTERS_AT_ONCE) {
    yield centers.slice(from, from + CENTERS_AT_ONCE)
  }
}
