/**
 * Follows the commits of each center, and keeps its contradictions current. A round evaluates what a few commits have
 * changed, or the next part of a sweep through all records of a center; commits come before sweeps. The result and the
 * progress are stored in one transaction, so a crash loses nothing: what was not finished is evaluated again. Instances
 * divide the work by leases in the database.
 */
import type { FastifyBaseLogger } from 'fastify'
import { type ChangeRow, WHOLE_KIND } from '../../core/changes/change.ts'
import { selectChangesBetween } from '../../core/changes/changes-sql.ts'
import type { Database, Queryable } from '../../core/database/database.ts'
import { type Center, type CenterId, centerId, readCenter } from '../../core/records/centers/center.ts'
import {
  deleteExpired,
  deleteGone,
  deleteRecords,
  insertRecords,
  lockRecords,
  upsertFound,
} from './contradictions-sql.ts'
import { type Difference, evaluate, idsOf, type Touched } from './evaluate.ts'
import type { Found } from './evidence.ts'
import {
  type DueRow,
  endLease,
  insertProgress,
  type Progress,
  selectDue,
  selectNextBookings,
  selectNextOrders,
  selectNextStored,
  takeLease,
} from './progress-sql.ts'

export interface EvaluatorOptions {
  readonly database: Database
  /** epoch ms by the database's clock */
  readonly clock: () => number
  /** identifies this instance as the holder of its leases */
  readonly holder: string
  readonly log: Pick<FastifyBaseLogger, 'warn'>
}

export interface Evaluator {
  /**
   * Evaluates everything that is due. Never rejects: what failed is due again.
   * @returns the number of rounds
   */
  look(): Promise<number>
  /** Ends after the round that is under way. */
  close(): Promise<void>
}

/** Longer than a round can take, so that a lease is only lost together with its instance. */
const LEASE_SECONDS = 30
/** Commits of a round. */
const COMMITS_MAX = 100
/** Changed records of a round, unless one commit has more. */
const NOTES_MAX = 500
const NOTES_OF_COMMIT_MAX = 10_000
/** Records that are evaluated with one statement each. A failure halves the number, down to the least. */
const SLICE = { most: 400, least: 10 } as const
const ORDERS_OF_SLICE = 2000

/** Where a sweep is: bookings by start, then orders without guests, then stored contradictions. */
type Sweep =
  | { readonly part: 'guests'; readonly after: readonly [start: string, id: string] | null }
  | { readonly part: 'orders' | 'stored'; readonly after: string }

const BEGIN: Sweep = { part: 'guests', after: null }

/** A part of a sweep, and the position after it; undefined at the end. */
interface Part {
  readonly touched: Touched
  readonly next: Sweep | undefined
}

export function createEvaluator({ database, clock, holder, log }: EvaluatorOptions): Evaluator {
  let slice: number = SLICE.most
  let ending = false
  let looking: Promise<number> | undefined
  /** centers that failed, until the next look: others are evaluated meanwhile */
  const failed = new Set<string>()
  /** centers whose failure is logged already */
  const logged = new Set<string>()

  const look = async () => {
    let rounds = 0
    failed.clear()
    try {
      while (!ending) {
        const [due] = await database.query<DueRow>(selectDue(holder, [...failed]))
        if (due === undefined) break
        await roundOf(due)
        rounds += 1
      }
    } catch (error) {
      fail('', error)
    }
    return rounds
  }

  const roundOf = async (due: DueRow) => {
    try {
      await evaluateDue(due)
      slice = Math.min(SLICE.most, slice * 2)
      logged.delete(due.center_id)
    } catch (error) {
      // What took too long is tried again with fewer records.
      slice = Math.max(SLICE.least, Math.floor(slice / 4))
      failed.add(due.center_id)
      fail(due.center_id, error)
    }
  }

  const fail = (center: string, error: unknown) => {
    if (ending || logged.has(center)) return
    logged.add(center)
    const name = error instanceof Error ? error.name : typeof error
    log.warn({ name }, 'contradictions cannot be evaluated for now')
  }

  /** Changes nothing that answers are made from. */
  const quietly = <T extends object>(statement: Parameters<Queryable['query']>[0]) =>
    database.transaction((tx) => tx.query<T>(statement))

  const evaluateDue = async (due: DueRow): Promise<void> => {
    const id = centerId(due.center_id)
    if (due.evaluated === null) {
      await quietly(insertProgress(id, JSON.stringify(BEGIN)))
      return
    }
    const [progress] = await quietly<Progress>(takeLease(id, holder, LEASE_SECONDS))
    if (progress === undefined) return
    const center = await readCenter(database, id)
    if (center === undefined) return
    if (due.is_expired) {
      await database.transaction((tx) => tx.query(deleteExpired(id)))
    }
    if (due.newest > progress.revision) return followCommits(center, progress, due.newest)
    if (progress.sweep_at !== null) return sweepOn(center, progress, JSON.parse(progress.sweep_at) as Sweep)
    await quietly(endLease(id, holder, progress))
  }

  const followCommits = async (center: Center, progress: Progress, newest: number) => {
    const { upTo, isWhole, touched } = await changedRecords(center.id, progress.revision, newest)
    const begun = progress.sweep_at ?? JSON.stringify(BEGIN)
    const after: Progress = {
      revision: upTo,
      sweep_at: isWhole ? begun : progress.sweep_at,
      // A sweep that is under way has passed some records already.
      sweep_again: progress.sweep_again || (isWhole && progress.sweep_at !== null),
    }
    for (const part of slicesOf(touched, slice)) {
      await store(center.id, await evaluate(database, center, part, clock()))
    }
    await quietly(endLease(center.id, holder, after))
  }

  /** What the next commits have changed. */
  const changedRecords = async (center: CenterId, after: number, newest: number) => {
    const read = async (upTo: number, limit: number) => {
      const [row] = await database.query<{ commits: number; notes: [number, ...ChangeRow][] | null }>(
        selectChangesBetween(center, after, upTo, limit),
      )
      return { upTo, notes: row?.commits === upTo - after ? row.notes : undefined }
    }
    let { upTo, notes } = await read(Math.min(newest, after + COMMITS_MAX), NOTES_MAX)
    if (notes === null) ({ upTo, notes } = await read(after + 1, NOTES_OF_COMMIT_MAX))
    // Commits that are no longer known may have changed anything.
    if (notes === null || notes === undefined) {
      return { upTo: newest, isWhole: true, touched: NOTHING }
    }
    const idsIn = (kind: string) => [
      ...new Set(notes.flatMap(([, of, id]) => (of === kind && id !== WHOLE_KIND ? [id] : []))),
    ]
    return {
      upTo,
      isWhole: notes.some(([, kind, id]) => id === WHOLE_KIND && WATCHED.has(kind)),
      touched: { guests: idsIn('guest'), orders: idsIn('order'), records: [] },
    }
  }

  const sweepOn = async (center: Center, progress: Progress, at: Sweep) => {
    const { touched, next } = await partOf(center.id, at)
    await store(center.id, await evaluate(database, center, touched, clock()))
    const restarted = progress.sweep_again ? JSON.stringify(BEGIN) : null
    await quietly(
      endLease(center.id, holder, {
        revision: progress.revision,
        sweep_at: next === undefined ? restarted : JSON.stringify(next),
        sweep_again: next === undefined ? false : progress.sweep_again,
      }),
    )
  }

  const partOf = async (center: CenterId, at: Sweep): Promise<Part> => {
    if (at.part === 'guests') {
      const rows = await database.query<{ id: string; start: string }>(
        selectNextBookings(center, at.after, slice),
      )
      const last = rows.at(-1)
      return {
        touched: { ...NOTHING, guests: rows.map(({ id }) => id) },
        next:
          rows.length < slice || last === undefined
            ? { part: 'orders', after: '' }
            : { part: 'guests', after: [last.start, last.id] },
      }
    }
    if (at.part === 'orders') {
      const rows = await database.query<{ uuid: string; has_guests: boolean }>(
        selectNextOrders(center, at.after, ORDERS_OF_SLICE),
      )
      const orders = rows.filter(({ has_guests }) => !has_guests).map(({ uuid }) => uuid)
      const isLast = rows.length < ORDERS_OF_SLICE
      return {
        touched: { ...NOTHING, orders },
        next: isLast ? { part: 'stored', after: '' } : { part: 'orders', after: rows.at(-1)?.uuid ?? '' },
      }
    }
    const rows = await database.query<{ id: string; records: string[] | null }>(
      selectNextStored(center, at.after, slice),
    )
    return {
      touched: { ...NOTHING, records: rows.flatMap(({ records }) => records ?? []) },
      next: rows.length < slice ? undefined : { part: 'stored', after: rows.at(-1)?.id ?? '' },
    }
  }

  const store = async (center: CenterId, { gone, changed }: Difference): Promise<void> => {
    if (gone.length + changed.length === 0) return
    await database.transaction(async (tx) => {
      if (gone.length > 0) await tx.query(deleteGone(center, gone))
      const there = changed.length === 0 ? [] : await ofExisting(tx, center, changed)
      if (there.length === 0) return
      await tx.query(upsertFound(center, there))
      await tx.query(
        deleteRecords(
          center,
          there.map(({ id }) => id),
        ),
      )
      await tx.query(insertRecords(center, there))
    })
  }

  return {
    look() {
      looking ??= look().finally(() => {
        looking = undefined
      })
      return looking
    },
    async close() {
      ending = true
      await looking
    },
  }
}

const NOTHING: Touched = { guests: [], orders: [], records: [] }
/** Kinds of changes that can change contradictions. */
const WATCHED: ReadonlySet<string> = new Set(['guest', 'order', 'session'])

/** Those whose records all exist; the records are locked. */
async function ofExisting(tx: Queryable, center: CenterId, all: readonly Found[]): Promise<Found[]> {
  const records = [...new Set(all.flatMap((one) => one.records))]
  const rows = await tx.query<{ record: string }>(
    lockRecords(center, {
      guest: idsOf('guest', records),
      customer: idsOf('customer', records),
      order: idsOf('order', records),
    }),
  )
  const there = new Set(rows.map(({ record }) => record))
  return all.filter((one) => one.records.every((record) => there.has(record) || record.startsWith('room:')))
}

function slicesOf({ guests, orders }: Touched, size: number): Touched[] {
  const slices: Touched[] = []
  for (let at = 0; at < Math.max(guests.length, orders.length); at += size) {
    slices.push({ ...NOTHING, guests: guests.slice(at, at + size), orders: orders.slice(at, at + size) })
  }
  return slices
}
