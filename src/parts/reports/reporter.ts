/**
 * Sends the reports of all centers: looks for those whose time has come, and runs them one after the other, so that they
 * take one read at a time from everybody else. Instances divide the work by leases in the database.
 */
import type { FastifyBaseLogger } from 'fastify'
import { AskRefused } from './ask-inside.ts'
import { makeDocument } from './make-document.ts'
import {
  claimPrepared,
  type DueReportRow,
  insertCopyDeliveries,
  insertCopyRun,
  type PreparedRow,
  planRun,
  type RunTarget,
  selectDueReports,
  selectDueRuns,
  selectLastErasures,
  selectReportNumbers,
  settleCopyRun,
} from './reports-sql.ts'
import { RUN_MS_MAX, type RunOptions, runReport, write } from './run-report.ts'
import { nextTime } from './schedule.ts'
import { createCopySending } from './send-copies.ts'

export interface ReportNumbers {
  readonly reports: number
  /** runs that wait although they were tried */
  readonly late: number
  /** runs of the last day that were not sent to every destination */
  readonly missed: number
  readonly oldest_seconds: number
}

export interface Reporter {
  readonly numbers: ReportNumbers
  /** attempts of this instance, by outcome */
  readonly outcomes: ReadonlyMap<string, number>
  /** Looks once, and sends what is due. Never rejects. */
  look(): Promise<void>
  /** What is being sent is sent again later if nobody knows that it arrived. Never rejects. */
  close(): Promise<void>
}

export interface ReporterOptions extends Omit<RunOptions, 'onOutcome'> {
  readonly log: Pick<FastifyBaseLogger, 'warn'>
  /** calls back regularly until stopped */
  readonly every: (ms: number, act: () => void) => () => void
}

const LOOK_MS = 15_000
const PLANNED_MAX = 200
const RUNS_MAX = 20
const PREPARED_MAX = 200
/** Copies are claimed for reports of the next day, and made anew for those of the next hours. */
const CLAIM_SECONDS = 26 * 3600
const CLAIM_LEASE_SECONDS = 180
const COPY_AHEAD_MS = 6 * 3_600_000
const COPY_AGE_MS_MAX = 3_600_000
const COPY_MS_MAX = 7 * 24 * 3_600_000
/** Made in one look, so that preparing never delays what is due. */
const COPIES_A_LOOK = 3
/** How long the database must be away before copies are sent, and back before what another instance prepared is taken over. */
const AWAY_MS = 120_000
const STEADY_MS = 200_000
/** More missed times than this of one report are not each recorded. */
const MISSED_MAX = 60

export function createReporter(options: ReporterOptions): Reporter {
  const { database, clock, copies, log, ways } = options
  const ending = new AbortController()
  const outcomes = new Map<string, number>()
  const onOutcome = (outcome: string) => void outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1)
  const run: RunOptions = { ...options, onOutcome }
  const sendCopies = createCopySending({ copies, ways, clock, onOutcome })
  let numbers: ReportNumbers = { reports: 0, late: 0, missed: 0, oldest_seconds: 0 }
  /** epoch ms; undefined while the database is away, or not away */
  let reachedSince: number | undefined
  let awaySince: number | undefined
  let looking: Promise<void> | undefined
  let warned = false

  const warn = (error: unknown) => {
    if (warned || ending.signal.aborted) return
    warned = true
    log.warn({ name: error instanceof Error ? error.name : typeof error }, 'reports cannot be sent for now')
  }

  /** What was sent while nobody could record it. */
  const reconcile = async () => {
    for (const { center, report, slot, destinations, files = {}, asOf, missing, isCopy } of copies.sent()) {
      const target: RunTarget = { center_id: center, report_id: report, scheduled_at: slot }
      if (isCopy && destinations.length > 0)
        await write(database, insertCopyRun(target, new Date(asOf).toISOString(), missing))
      const [stored] = await write(database, insertCopyDeliveries(target, destinations, files))
      // Nobody has planned the run: its file is remembered here until somebody does.
      if (stored === undefined && clock() - slot <= RUN_MS_MAX) continue
      const [settled] = await write(database, settleCopyRun(target))
      const copy = copies.get(report)
      if (copy !== undefined && settled !== undefined)
        copies.put({ ...copy, handled: Math.max(copy.handled, slot) })
      copies.clearSent(report, slot)
    }
  }

  const plan = async () => {
    for (const row of await database.query<DueReportRow & Record<string, unknown>>(
      selectDueReports(PLANNED_MAX),
    )) {
      const now = clock()
      let planned: DueReportRow = row
      for (let count = 0; planned.next_at <= now; count += 1) {
        const isMissed = now - planned.next_at > RUN_MS_MAX
        const from = count >= MISSED_MAX && isMissed ? now - RUN_MS_MAX : planned.next_at
        const next = nextTime(row, row.timezone, from)
        await write(database, planRun(planned, new Date(next).toISOString(), isMissed))
        planned = { ...planned, next_at: next }
      }
    }
  }

  const prepare = async () => {
    const { folder } = copies
    if (folder === undefined) return
    const claim = claimPrepared(folder, CLAIM_SECONDS, CLAIM_LEASE_SECONDS, PREPARED_MAX)
    const rows = await write<PreparedRow>(database, claim)
    const claimed = new Map(rows.map((row) => [row.id, row]))
    const erased = await lastErasures([...new Set(copies.all().map(({ report }) => report.center_id))])
    for (const { report, document } of copies.all()) {
      const row = claimed.get(report.id)
      const madeAt = document?.asOf ?? 0
      const isOver =
        row?.public_key === null ||
        clock() - madeAt > COPY_MS_MAX ||
        (erased.get(report.center_id) ?? 0) >= madeAt
      // The instance that claims it has a copy of its own.
      if (row === undefined || isOver) copies.forget(report.id)
    }
    let made = 0
    for (const row of rows) {
      const known = copies.get(row.id)
      const { public_key: publicKey, ...report } = row
      const handled = known?.handled ?? 0
      const isFresh = known?.slot === row.next_at && clock() - (known.document?.asOf ?? 0) < COPY_AGE_MS_MAX
      const isNear = row.next_at - clock() <= COPY_AHEAD_MS
      if (isFresh || !isNear || made >= COPIES_A_LOOK || publicKey === null || ending.signal.aborted) {
        if (known?.report.next_at !== row.next_at) {
          copies.put({ report, slot: known?.slot ?? 0, document: known?.document, handled })
        }
        continue
      }
      made += 1
      try {
        const document = await makeDocument(options, row, publicKey, row.next_at)
        copies.put({ report, slot: row.next_at, document, handled })
      } catch (error) {
        // What the key may not read any more may not be sent either.
        if (error instanceof AskRefused)
          copies.put({ report, slot: row.next_at, document: undefined, handled })
        else throw error
      }
    }
  }

  const lastErasures = async (centers: readonly string[]) => {
    if (centers.length === 0) return new Map<string, number>()
    const rows = await database.query<{ center_id: string; erased_at: number }>(selectLastErasures(centers))
    return new Map(rows.map(({ center_id, erased_at }) => [center_id, erased_at]))
  }

  const lookOnce = async () => {
    try {
      await reconcile()
      await plan()
      reachedSince ??= clock()
      awaySince = undefined
      const steady = clock() - reachedSince >= STEADY_MS
      for (const target of await database.query<RunTarget & Record<string, unknown>>(
        selectDueRuns(RUNS_MAX, steady, copies.folder),
      )) {
        if (ending.signal.aborted) return
        await runReport(run, target, ending.signal)
      }
      await prepare()
      const [row] = await database.query<ReportNumbers & Record<string, unknown>>(selectReportNumbers)
      if (row !== undefined) numbers = row
      warned = false
    } catch (error) {
      warn(error)
      reachedSince = undefined
      awaySince ??= clock()
      if (clock() - awaySince >= AWAY_MS && !ending.signal.aborted) {
        await sendCopies(ending.signal).catch(warn)
      }
    }
  }

  const look = () => {
    looking ??= lookOnce().finally(() => {
      looking = undefined
    })
    return looking
  }
  const stop = options.every(LOOK_MS, () => void look())

  return {
    outcomes,
    get numbers() {
      return numbers
    },
    look,
    async close() {
      stop()
      ending.abort()
      await looking
    },
  }
}
