/** What most tests of the intake need: records in, summary and problems out. */
import sql, { type Sql } from 'sql-template-tag'
import type { Database, Row } from '../../src/core/database/database.ts'
import {
  type ImportOptions,
  type ImportSummary,
  importRecords,
} from '../../src/core/intake/import-records.ts'
import { type RecordLine, recordLines } from '../../src/core/intake/lines/record-line.ts'
import type { ImportProblem } from '../../src/core/intake/rejects/problem-report.ts'

export { emptyDatabase as empty } from '../support/database.ts'

export type Fields = Record<string, unknown>

export const center = (more: Fields = {}) => ({
  kind: 'center',
  id: 'c',
  name: 'Center',
  timezone: 'Europe/Bucharest',
  currency: 'RON',
  ...more,
})
export const customer = (id: string, more: Fields = {}) => ({
  kind: 'customer',
  centerId: 'c',
  id,
  firstName: 'Ana',
  lastName: 'Pop',
  ...more,
})
export const session = (id: string, more: Fields = {}) => ({
  kind: 'session',
  centerId: 'c',
  id,
  name: `Session ${id}`,
  startDate: '2025-01-10T08:00:00Z',
  endDate: '2025-01-20T08:00:00Z',
  ...more,
})
export const order = (uuid: string, more: Fields = {}) => ({
  kind: 'order',
  centerId: 'c',
  uuid,
  orderDate: '2025-01-01T08:00:00Z',
  totalAmount: 100,
  status: 'confirmed',
  ...more,
})
export const booking = (id: string, more: Fields = {}) => ({
  kind: 'booking',
  centerId: 'c',
  id,
  customerId: 'k',
  role: 'patient',
  status: 'confirmed',
  startDate: '2025-01-10T08:00:00Z',
  endDate: '2025-01-20T08:00:00Z',
  ...more,
})
export const metaField = (key: string, more: Fields = {}) => ({
  kind: 'metaField',
  centerId: 'c',
  key,
  type: 'string',
  of: 'booking',
  ...more,
})
export const removed = (kind: string, key: Fields) => ({ kind, centerId: 'c', ...key, deleted: true })

export interface Outcome {
  readonly summary: ImportSummary
  readonly problems: ImportProblem[]
  /** `3 startDate`, in the order reported. */
  readonly places: string[]
}

/** Imports records (objects) or lines as they would stand in a file (texts). */
export function importAll(
  database: Database,
  records: Iterable<unknown>,
  options: ImportOptions = {},
): Promise<Outcome> {
  return importLines(database, recordLines(records), options)
}

export async function importTexts(database: Database, lines: string[], options: ImportOptions = {}) {
  return importLines(
    database,
    lines.map((text, index) => ({ line: index + 1, text })),
    options,
  )
}

export async function importLines(
  database: Database,
  lines: AsyncIterable<RecordLine> | Iterable<RecordLine>,
  options: ImportOptions,
): Promise<Outcome> {
  const problems: ImportProblem[] = []
  const summary = await importRecords(database, lines, {
    ...options,
    onProblem(problem) {
      problems.push(problem)
      options.onProblem?.(problem)
    },
  })
  const places = problems.map(({ line, field }) => `${line}${field === undefined ? '' : ` ${field}`}`)
  return { summary, problems, places }
}

/** One record's row. */
export async function row(database: Database, statement: Sql): Promise<Row> {
  const rows = await database.query(statement)
  if (rows.length !== 1) throw new Error(`${rows.length} rows`)
  return rows[0]!
}

export const bookingRow = (database: Database, id: string) =>
  row(database, sql`select * from bookings where center_id = 'c' and id = ${id}`)
export const customerRow = (database: Database, id: string) =>
  row(database, sql`select * from customers where center_id = 'c' and id = ${id}`)

/** Everything the intake writes, to see that nothing was changed. */
export async function everything(database: Database): Promise<Row[]> {
  const tables = [
    sql`select * from centers order by center_id`,
    sql`select * from meta_fields order by center_id, key`,
    sql`select * from terms order by center_id, term_set, id`,
    sql`select * from sessions order by center_id, id`,
    sql`select * from orders order by center_id, uuid`,
    sql`select * from customers order by center_id, id`,
    sql`select * from bookings order by center_id, id`,
    sql`select * from booking_sessions order by center_id, session_id, booking_id`,
    sql`select * from center_revisions order by center_id`,
  ]
  const rows: Row[] = []
  for (const table of tables) rows.push(...(await database.query(table)))
  return rows
}
