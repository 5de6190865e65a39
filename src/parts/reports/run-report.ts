/** One attempt at a run: its document is made, and given to each destination that waits. */
import type { Sql } from 'sql-template-tag'
import { type Database, DatabaseUnavailable } from '../../core/database/database.ts'
import { AskRefused, AskUnavailable } from './ask-inside.ts'
import type { Copies, Sent } from './copies.ts'
import { deliver, type Ways } from './destinations/deliver.ts'
import type { Outcome, ReportDelivery } from './destinations/delivery.ts'
import { ADDED_BYTES_MAX, type FileMemory } from './destinations/to-folder.ts'
import type { Rendered, ReportDocument } from './documents/document.ts'
import { codeOf } from './documents/pdf-letters.ts'
import { PdfFailed } from './documents/pdf-thread.ts'
import { type DocumentMaking, makeDocument } from './make-document.ts'
import { render, TooLong } from './render.ts'
import { readDestination } from './report.ts'
import {
  type DeliveryRow,
  endRun,
  holdRun,
  type ReportRow,
  type RunOutcome,
  type RunRow,
  type RunTarget,
  recordDelivery,
  selectDeliveries,
  storeFile,
  takeRun,
} from './reports-sql.ts'

export interface RunOptions extends DocumentMaking {
  readonly database: Database
  /** epoch ms by the database's clock */
  readonly clock: () => number
  /** identifies this instance as the holder of its runs */
  readonly holder: string
  readonly copies: Copies
  readonly ways: Ways
  readonly onOutcome: (outcome: Outcome['state']) => void
}

/** Longer than one destination takes. */
const LEASE_SECONDS = 300
const DELAYS_SECONDS = [30, 60, 120, 240]
/** What is later than this is of no use. */
export const RUN_MS_MAX = 24 * 3_600_000
const PROBLEM_LENGTH_MAX = 500

const delayOf = (attempts: number) => DELAYS_SECONDS[Math.min(attempts, DELAYS_SECONDS.length - 1)] ?? 240

export const write = <Row extends object>(database: Database, statement: Sql): Promise<Row[]> =>
  database.transaction((tx) => tx.query<Row & Record<string, unknown>>(statement))

/** Makes an attempt at a run. @throws {DatabaseUnavailable} */
export async function runReport(options: RunOptions, target: RunTarget, signal: AbortSignal): Promise<void> {
  const { database, holder, clock } = options
  const [row] = await write<RunRow>(database, takeRun(target, holder, LEASE_SECONDS))
  if (row === undefined) return
  const isOver = clock() - target.scheduled_at > RUN_MS_MAX
  if (isOver) {
    await end(options, target, {
      state: 'missed',
      problem: 'It could not be sent within a day.',
      delaySeconds: 0,
    })
    return
  }
  let document: ReportDocument
  let rendered: Rendered
  try {
    document = await makeDocument(options, row, row.public_key, target.scheduled_at)
    rendered = await render(document, row.format)
  } catch (error) {
    await end(options, target, failureOf(error, row.attempts))
    return
  }
  rememberCopy(options.copies, row, target, document)
  const prepared = deliveryOf(row, target.scheduled_at, document, rendered)
  const deliveries = await database.query<DeliveryRow & Record<string, unknown>>(selectDeliveries(target))
  for (const delivery of deliveries) {
    if (signal.aborted) return
    const [held] = await write(database, holdRun(target, holder, LEASE_SECONDS))
    if (held === undefined) return
    await deliverOne(options, row, target, prepared, delivery, signal)
  }
  const ended = await end(options, target, {
    problem: null,
    asOf: new Date(document.asOf).toISOString(),
    missing: missingOf(rendered),
    delaySeconds: 0,
  })
  if (ended !== 'due') finished(options.copies, target)
}

async function deliverOne(
  options: RunOptions,
  row: ReportRow,
  target: RunTarget,
  delivery: ReportDelivery,
  { destination, attempts, file }: DeliveryRow,
  signal: AbortSignal,
): Promise<void> {
  const { database, copies, ways, onOutcome, holder } = options
  const own = fileMemory(copies, target, destination, delivery)
  const memory: FileMemory = {
    marks: [...own.marks, ...(file === null ? [] : [file])],
    async remember(mark) {
      await own.remember(mark)
      const [stored] = await write(database, storeFile(target, holder, destination, mark))
      if (stored === undefined) throw new RunLost()
    },
  }
  const where = readDestination(destination, row.format)
  const outcome = await deliver(ways, { center: row.center_id, destination: where, delivery, memory }, signal)
  onOutcome(outcome.state)
  // Before the database, which may be away by now: what was sent must not be sent again.
  if (outcome.state === 'sent') noteSent(copies, target, destination, delivery)
  await write(
    database,
    recordDelivery(target, {
      destination,
      state: outcome.state,
      problem: outcome.state === 'sent' ? null : outcome.problem,
      delaySeconds: outcome.state === 'waiting' ? delayOf(attempts) : 0,
    }),
  )
}

/** Another instance has the run by now. */
class RunLost extends Error {
  override readonly name = 'RunLost'
}

/** Adds a destination to what was sent of a run. */
export function noteSent(
  copies: Copies,
  run: RunTarget,
  destination: string,
  delivery: ReportDelivery,
): void {
  const sent = sentOf(copies, run, delivery)
  copies.noteSent({ ...sent, destinations: [...sent.destinations, destination] })
}

/** What this instance knows of the file of a run, also while the database is away. */
export function fileMemory(
  copies: Copies,
  run: RunTarget,
  destination: string,
  delivery: ReportDelivery,
): FileMemory {
  const mark = copies.sentOf(run.report_id, run.scheduled_at)?.files?.[destination]
  return {
    marks: mark === undefined ? [] : [mark],
    async remember(next) {
      const sent = sentOf(copies, run, delivery)
      copies.noteSent({ ...sent, files: { ...sent.files, [destination]: next } })
    },
  }
}

function sentOf(
  copies: Copies,
  { center_id: center, report_id: report, scheduled_at: slot }: RunTarget,
  { asOf, rendered, isCopy }: ReportDelivery,
): Sent {
  const { destinations = [], files = {} } = copies.sentOf(report, slot) ?? {}
  return { center, report, slot, destinations, files, asOf, missing: missingOf(rendered), isCopy }
}

const missingOf = ({ missing }: Rendered): string | null =>
  missing.length === 0 ? null : missing.slice(0, 50).map(codeOf).join(' ')

function rememberCopy(copies: Copies, row: RunRow, target: RunTarget, document: ReportDocument): void {
  const known = copies.get(row.id)
  // A run that a person asked for has a time of its own.
  if (known === undefined || target.scheduled_at < known.slot) return
  copies.put({ ...known, slot: target.scheduled_at, document })
}

/** Everything of a run is in the database. */
function finished(copies: Copies, { report_id, scheduled_at }: RunTarget): void {
  const known = copies.get(report_id)
  if (known !== undefined) copies.put({ ...known, handled: Math.max(known.handled, scheduled_at) })
  copies.clearSent(report_id, scheduled_at)
}

/** The same in every attempt. */
export function deliveryOf(
  row: ReportRow,
  slot: number,
  document: ReportDocument,
  rendered: Rendered,
  copy?: string,
): ReportDelivery {
  const local = Temporal.Instant.fromEpochMilliseconds(slot).toZonedDateTimeISO(document.zone)
  const time = local.toPlainTime().toString({ smallestUnit: 'minute' }).replace(':', '')
  // With the milliseconds of a run that a person has asked for, maybe twice within a second.
  const stamp = new Date(slot).toISOString().replace(/\D/g, '').replace(/000$/, '')
  const moment = ` ${local.toPlainDate()} ${time}`
  return {
    id: `${row.id.replaceAll('_', '-')}-${stamp}`,
    rendered,
    fileName: fileNameOf(row, NAME_BYTES_MAX - ADDED_BYTES_MAX - moment.length) + moment,
    title: document.title,
    remarks: [
      ...(copy === undefined ? [] : [copy]),
      document.asOfText,
      ...document.ages.map(({ text }) => text),
    ],
    scheduledAt: slot,
    asOf: document.asOf,
    isCopy: copy !== undefined,
    report: { id: row.id, name: row.name, kind: row.kind },
  }
}

/** Of the name of a file, on most systems. */
const NAME_BYTES_MAX = 255

/** The name of a report as that of a file: as much of it as fits, and no half letter. */
function fileNameOf({ name, kind }: ReportRow, bytesMax: number): string {
  let plain = ''
  let bytes = 0
  const allowed = name
    .normalize('NFC')
    .replace(/[^\p{L}\p{M}\p{N}._ -]+/gu, '-')
    .replace(/^[.\s-]+/, '')
  for (const { segment } of LETTERS.segment(allowed)) {
    bytes += Buffer.byteLength(segment)
    if (bytes > bytesMax) break
    plain += segment
  }
  return plain.trimEnd() || kind
}

const LETTERS = new Intl.Segmenter()

type Failure = Pick<RunOutcome, 'problem' | 'delaySeconds'> & { readonly state?: 'refused' | 'missed' }

const LETTERS_SHOWN = 20

/** What cannot be corrected by waiting ends the run. @throws what says that the database is away */
function failureOf(error: unknown, attempts: number): Failure {
  const refused = (problem: string): Failure => ({
    state: 'refused',
    problem: problem.slice(0, PROBLEM_LENGTH_MAX),
    delaySeconds: 0,
  })
  if (error instanceof DatabaseUnavailable) throw error
  if (error instanceof AskRefused) return refused(error.message)
  if (error instanceof TooLong) return refused('The report is too long. Narrow its query, or choose csv.')
  if (error instanceof PdfFailed && error.reason === 'tooLong') {
    return refused('The report is too long for a PDF. Narrow its query, or choose csv.')
  }
  if (error instanceof PdfFailed && error.reason === 'missingLetters') {
    const codes = error.letters.slice(0, LETTERS_SHOWN).map(codeOf).join(' ')
    return refused(
      `No font of this machine has some letters of the report (${codes}${error.letters.length > LETTERS_SHOWN ? ' …' : ''}), so it was not sent. Install one that has them (docs/reports.md), or choose xlsx, csv or text.`,
    )
  }
  const problem =
    error instanceof AskUnavailable
      ? `The data could not be read: ${error.message}.`
      : `It failed: ${error instanceof Error ? error.name : typeof error}.`
  return { problem, delaySeconds: delayOf(attempts - 1) }
}

async function end(
  { database, holder }: RunOptions,
  target: RunTarget,
  outcome: Failure & Partial<RunOutcome>,
): Promise<string | undefined> {
  const [row] = await write<{ state: string }>(
    database,
    endRun(target, holder, { asOf: null, missing: null, ...outcome }),
  )
  return row?.state
}
