/**
 * Imports records, all of them in one transaction or none.
 *
 * The lines are staged in the database first and then written kind by kind; centers and custom fields come first,
 * because the other records are read with their help. So records may come in any order, a record given several
 * times is written once, and memory stays flat. At the end, every reference must lead to a record.
 */
import { randomUUID } from 'node:crypto'
import { type Database, DatabaseUnavailable, type Queryable, sqlState } from '../database/database.ts'
import { Mutex } from '../database/mutex.ts'
import { NoSuchCenter } from '../errors/no-such-center.ts'
import type { ChangedRecord, KindCounts } from './counts.ts'
import { type ImportEnd, type ImportOrigin, logImport } from './import-log.ts'
import { ImportRun } from './import-run.ts'
import { InputError } from './input-error.ts'
import type { KindName } from './kinds/kind.ts'
import { type ProblemListener, ProblemReport } from './problem-report.ts'
import type { RecordLine } from './record-line.ts'
import { RejectsGiven } from './rejects-given.ts'
import type { RunOptions } from './run-options.ts'
import type { Missing } from './snapshot.ts'
import { WRITTEN_LINES, WRITTEN_LINES_BESIDE_READS } from './stage.ts'

export interface ImportSummary {
  /** of its line in the log of imports; null where it leaves none */
  readonly id: string | null
  /** whether the records are in the database now */
  readonly applied: boolean
  /** what each kind's lines did, or would have done */
  readonly kinds: Readonly<Record<KindName, KindCounts>>
  /** the first of those that were created, changed or removed, or would have been */
  readonly records: readonly ChangedRecord[]
  /** lines that were not empty */
  readonly lines: number
  /** lines that were refused */
  readonly rejected: number
  readonly problems: number
  /** lines that were left out, because they are of people who were erased */
  readonly erased: number
  readonly seconds: number
  /** of a snapshot: what the records did not hold, which was removed, or would be */
  readonly missing?: Missing
}

export interface ImportOptions extends RunOptions {
  /** told of every problem, those of one line together */
  readonly onProblem?: ProblemListener
  /** who imports, for the log of imports; without it the import leaves no line there, as a dry run does */
  readonly origin?: ImportOrigin
  /** what is written in the same transaction, where the records go in */
  readonly alongside?: (tx: Queryable, summary: ImportSummary) => Promise<void>
  /** its abort ends the import before its next statement, and nothing was imported */
  readonly signal?: AbortSignal
  /** how long it may write, which on the embedded database all others wait for; where it takes longer it ends likewise */
  readonly writeMs?: number | undefined
}

/** Nothing was imported. */
export class WritingTooLong extends Error {
  override readonly name = 'WritingTooLong'
}

/** Ends the transaction without its changes; counts and problems are kept. */
class RolledBack extends Error {}

export async function importRecords(
  database: Database,
  input: AsyncIterable<RecordLine> | Iterable<RecordLine>,
  options: ImportOptions = {},
): Promise<ImportSummary> {
  const started = performance.now()
  const report = new ProblemReport(options.onProblem ?? (() => {}))
  // Lines are staged in steps, between which others have their turn; then everything is written at once.
  let at: Queryable = database
  let isUndone = false
  let writesUntil = Number.POSITIVE_INFINITY
  const id = options.dryRun || options.origin === undefined ? null : randomUUID()
  const isBesideReads = database.engine === 'embedded' && options.only !== undefined
  const run = new ImportRun(
    oneAtATime({
      query(sql) {
        if (!isUndone) options.signal?.throwIfAborted()
        if (!isUndone && performance.now() > writesUntil) throw new WritingTooLong()
        return at.query(sql)
      },
    }),
    report,
    options,
    isBesideReads ? WRITTEN_LINES_BESIDE_READS : WRITTEN_LINES,
  )
  const work = async (tx: Queryable) => {
    at = tx
    writesUntil = performance.now() + (options.writeMs ?? Number.POSITIVE_INFINITY)
    await run.write()
    if (run.isBeyondBound) throw new RolledBack()
    if (options.dryRun || (run.rejected > 0 && !options.skipInvalid)) throw new RolledBack()
    await log(tx, 'done')
    await options.alongside?.(tx, summary(true))
    options.signal?.throwIfAborted()
  }
  const log = async (tx: Queryable, outcome: ImportEnd['outcome']) => {
    if (id === null || options.origin === undefined) return
    const { lines, rejected, countsByCenter, erasedByCenter } = run
    for (const center of erasedByCenter.keys()) countsByCenter.of(center)
    // Of a file that could not be read, or was empty, too.
    if (options.center !== undefined) countsByCenter.of(options.center)
    const durationMs = performance.now() - started
    const { problems } = report
    const end = { id, outcome, durationMs, lines, rejected, problems, counts: countsByCenter.all }
    await logImport(tx, options.origin, { ...end, erased: erasedByCenter })
  }
  const summary = (applied: boolean): ImportSummary => ({
    id,
    applied,
    kinds: run.counts,
    records: run.changedRecords,
    lines: run.lines,
    rejected: run.rejected,
    problems: report.problems,
    erased: run.erased,
    ...(run.missing && { missing: run.missing }),
    seconds: (performance.now() - started) / 1000,
  })
  const before = (steps: Queryable) => {
    at = steps
    return run.read(input)
  }
  const undo = (steps: Queryable) => {
    at = steps
    isUndone = true
    return run.abandon()
  }
  let applied = false
  try {
    await database.transaction(work, { before, undo, center: options.only?.center })
    applied = true
  } catch (error) {
    const reason = isConflict(error) ? new ImportConflict(error) : error
    const isRefused = reason instanceof RolledBack
    // Rejects that were given as records have not been tried yet.
    const isFailed =
      [ImportConflict, InputError, NoSuchCenter, WritingTooLong].some((kind) => reason instanceof kind) &&
      !(reason instanceof RejectsGiven)
    if (isRefused || isFailed) {
      await logUndone(database, (tx) => log(tx, isRefused ? 'refused' : 'failed'))
    }
    if (!isRefused) throw reason
  }
  await report.flush()
  return summary(applied)
}

/** What was not imported is told its user, whether or not its line can be written. */
async function logUndone(database: Database, log: (tx: Queryable) => Promise<void>): Promise<void> {
  try {
    await database.transaction(log, { answersStay: true })
  } catch (error) {
    if (!(error instanceof DatabaseUnavailable)) throw error
  }
}

/** Another program changed the same records at the same time. Nothing was imported; running it again is right. */
export class ImportConflict extends Error {
  override readonly name = 'ImportConflict'
  constructor(cause: unknown) {
    super(
      'another program changed the same records at the same time; nothing was imported; run the import again',
      { cause },
    )
  }
}

// Broken references are found before the end, so a foreign key (23503) fails only on what came in between;
// so do unique keys (23505), and two writers may wait for each other (40001, 40P01).
const CONFLICTS = new Set(['23503', '23505', '40001', '40P01'])

function isConflict(error: unknown): boolean {
  return CONFLICTS.has(sqlState(error) ?? '')
}

/** A transaction has one connection: statements are sent in turn, whoever sends them. */
function oneAtATime(tx: Queryable): Queryable {
  const turn = new Mutex()
  return { query: (sql) => turn.run(() => tx.query(sql)) }
}
