/**
 * Imports records, either all in one transaction or none.
 *
 * Lines are first staged in the database and then written kind by kind. Centers and custom fields come first, because
 * reading other records depends on them. So records may be in any order, a record given several times is written once,
 * and memory use is flat. At the end, every reference must lead to a record.
 */
import { randomUUID } from 'node:crypto'
import { type Database, DatabaseUnavailable, type Queryable, sqlState } from '../database/database.ts'
import { Mutex } from '../database/queue/mutex.ts'
import { NoSuchCenter } from '../errors/no-such-center.ts'
import type { ChangedRecord, KindCounts, RecordsMet } from './counts.ts'
import { type ImportEnd, type ImportOrigin, logImport } from './import-log.ts'
import { ImportRun } from './import-run.ts'
import { InputError } from './input-error.ts'
import type { KindName } from './kinds/kind.ts'
import type { RecordLine } from './lines/record-line.ts'
import type { DietWords } from './merge/diet-words.ts'
import type { AddedDiets } from './merge/diets.ts'
import { type ProblemListener, ProblemReport } from './rejects/problem-report.ts'
import { RejectsGiven } from './rejects/rejects-given.ts'
import type { RunOptions } from './run-options.ts'
import type { Missing } from './stage/snapshot.ts'

export interface ImportSummary {
  /** identifier of its line in the log of imports; null if it adds none */
  readonly id: string | null
  /** whether the records are now in the database */
  readonly applied: boolean
  /** what the lines of each kind did, or would have done */
  readonly kinds: Readonly<Record<KindName, KindCounts>>
  /** the first records created, changed or removed, or that would have been */
  readonly records: readonly ChangedRecord[]
  /** the stored records that a key's lines were compared with; none for a command */
  readonly met: RecordsMet
  /** which words of its diets the center stores */
  readonly dietWords: DietWords
  /** lines that were not empty */
  readonly lines: number
  /** lines refused */
  readonly rejected: number
  readonly problems: number
  /** lines left out because they belong to erased people */
  readonly erased: number
  /** records that several lines of JSON give; the lines were applied in their order */
  readonly repeated: number
  /** imported customers without a booking, whom no list of guests shows */
  readonly withoutBooking: number
  readonly seconds: number
  /** diets of the mapping: keys that the center's meal rules got, or would get, and keys that they had */
  readonly diets?: AddedDiets
  /** for a snapshot: records that it lacks, which were removed or would be */
  readonly missing?: Missing
}

export interface ImportOptions extends RunOptions {
  /** called with all problems of a line together */
  readonly onProblem?: ProblemListener
  /** who imports, for the log of imports; without it nothing is logged, as in a dry run */
  readonly origin?: ImportOrigin
  /** writes in the same transaction if the records are applied */
  readonly alongside?: (tx: Queryable, summary: ImportSummary) => Promise<void>
  /** aborting it stops the import before its next statement, and nothing is imported */
  readonly signal?: AbortSignal
}

/** Rolls back the transaction, but keeps counts and problems. */
class RolledBack extends Error {}

/**
 * Imports the records of the input.
 * @returns a summary, also if records were refused and nothing was imported
 * @throws {ImportConflict} {InputError} {NoSuchCenter}; nothing was imported then
 */
export async function importRecords(
  database: Database,
  input: AsyncIterable<RecordLine> | Iterable<RecordLine>,
  options: ImportOptions = {},
): Promise<ImportSummary> {
  const started = performance.now()
  const report = new ProblemReport(options.onProblem ?? (() => {}))
  const id = options.dryRun || options.origin === undefined ? null : randomUUID()
  let at: Queryable = database
  const run = new ImportRun(
    oneAtATime({
      query(sql) {
        options.signal?.throwIfAborted()
        return at.query(sql)
      },
    }),
    report,
    options,
  )
  const work = async (tx: Queryable) => {
    at = tx
    await run.read(input)
    await run.prepare()
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
    // Also logs a file that was empty or could not be read.
    if (options.center !== undefined) countsByCenter.of(options.center)
    const durationMs = performance.now() - started
    const { problems, causes } = report
    const counts = countsByCenter.all
    const end = { id, outcome, durationMs, lines, rejected, problems, causes, counts }
    await logImport(tx, options.origin, { ...end, erased: erasedByCenter })
  }
  const summary = (applied: boolean): ImportSummary => ({
    id,
    applied,
    kinds: run.counts,
    records: run.changedRecords,
    met: run.met,
    dietWords: run.dietWords,
    lines: run.lines,
    rejected: run.rejected,
    problems: report.problems,
    erased: run.erased,
    repeated: run.repeated,
    withoutBooking: run.withoutBooking,
    ...(run.diets && { diets: run.diets }),
    ...(run.missing && { missing: run.missing }),
    seconds: (performance.now() - started) / 1000,
  })
  let applied = false
  try {
    await database.transaction(work)
    applied = true
  } catch (error) {
    const reason = isConflict(error) ? new ImportConflict(error) : error
    const isRefused = reason instanceof RolledBack
    // With rejects given as records, the import has not been tried yet.
    const isFailed =
      [ImportConflict, InputError, NoSuchCenter].some((kind) => reason instanceof kind) &&
      !(reason instanceof RejectsGiven)
    if (isRefused || isFailed) {
      await logUndone(database, (tx) => log(tx, isRefused ? 'refused' : 'failed'))
    }
    if (!isRefused) throw reason
  }
  await report.flush()
  return summary(applied)
}

/** Logs an import that was not applied. The user gets its result even if logging fails. */
async function logUndone(database: Database, log: (tx: Queryable) => Promise<void>): Promise<void> {
  try {
    await database.transaction(log)
  } catch (error) {
    if (!(error instanceof DatabaseUnavailable)) throw error
  }
}

/**
 * Another program changed the same records at the same time. Nothing was imported; the import can simply be repeated.
 */
export class ImportConflict extends Error {
  override readonly name = 'ImportConflict'
  constructor(cause: unknown) {
    super(
      'another program changed the same records at the same time; nothing was imported; run the import again',
      { cause },
    )
  }
}

// Broken references are found before the end, so a foreign key (23503) only fails because of a concurrent change. The
// same is true for unique keys (23505). Two writers may also wait for each other (40001, 40P01).
const CONFLICTS = new Set(['23503', '23505', '40001', '40P01'])

function isConflict(error: unknown): boolean {
  return CONFLICTS.has(sqlState(error) ?? '')
}

/** A transaction has one connection, so statements from concurrent callers are sent one at a time. */
function oneAtATime(tx: Queryable): Queryable {
  const lock = new Mutex()
  return { query: (sql) => lock.run(() => tx.query(sql)) }
}
