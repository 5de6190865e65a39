/**
 * Tries a proposed mapping on the whole file, without a database: every row is made into records, and every record is
 * checked by itself. So a proposal claims only what was tested.
 */
import { reason } from '../../../locale/said.ts'
import type { JsonObject, KindName } from '../../kinds/kind.ts'
import { KINDS } from '../../kinds.ts'
import type { LeftOut } from '../../lines/left-out.ts'
import { LINE_SCHEMAS } from '../../lines/line-schemas.ts'
import { originOf, type RecordLine, readLine } from '../../lines/record-line.ts'
import { Causes, type ReportedCause } from '../../rejects/causes.ts'
import { ProblemReport } from '../../rejects/problem-report.ts'
import { type FieldProblem, findProblems, isObject, lacksAll, missing } from '../../rejects/problems.ts'
import { RowsOfRecord } from '../../stage/contradictions.ts'
import { mapTables } from '../mapping/map-rows.ts'
import { readMapping } from '../mapping/read-mapping.ts'
import { termsFor } from '../mapping/terms.ts'
import type { Tables } from '../tables/read-tables.ts'

/** The records of the first rows that are shown. */
const PREVIEW_MAX = 3
/** Identifiers that are remembered, to find rows of one record that differ. */
const KEYS_MAX = 500_000

export interface Trial {
  /** Rows that become a booking; a customer if the file has no bookings, and an order if it has no people. */
  readonly guests: number
  /** Rows with problems, and what they are. */
  readonly refused: number
  readonly causes: readonly ReportedCause[]
  /** The records of the first rows. */
  readonly preview: readonly { readonly row: number; readonly records: readonly Record<string, unknown>[] }[]
  /** Whether there are orders alone. */
  readonly areOrders: boolean
  /** People without a booking: they are imported and not served as guests. */
  readonly withoutBooking: boolean
  /** What became no record. */
  readonly leftOut: LeftOut
}

/**
 * @param mapping the text of a mapping; open questions take their first answer
 * @param name the file's name, for messages
 */
export async function tryMapping(
  tables: Promise<Tables>,
  mapping: string,
  mappingName: string,
  name: string,
  now: Date,
): Promise<Trial> {
  const parsed = readMapping(mapping, mappingName, { now, isTrial: true })
  const causes = new Causes()
  const report = new ProblemReport((problem) => causes.add(problem))
  const seen = new Map<string, Seen>()
  const refused = new Set<string>()
  const preview = new Map<string, { row: number; records: Record<string, unknown>[] }>()
  const counts: { booking: number; customer: number; order: number } = { booking: 0, customer: 0, order: 0 }
  let seq = 0
  let leftOut: LeftOut = { tables: [], sheets: [] }
  const onLeftOut = (found: LeftOut) => {
    leftOut = found
  }
  for await (const line of mapTables(tables, parsed, name, onLeftOut)) {
    seq += 1
    const { text, kind, record, problems = [] } = readLine(line, 'center')
    const value = isObject(line.value) ? line.value : undefined
    const own = record?.kind ?? kind
    const found = [
      ...problems,
      ...(record === undefined || value === undefined ? [] : problemsOf(record.kind, value)),
    ]
    const repeated =
      record === undefined ? undefined : repeatOf(seen, record.kind, record.key, line, text ?? '')
    if (repeated !== undefined) found.push(repeated)
    const row = `${line.sheet ?? ''}\n${line.line}`
    if (found.length > 0) {
      refused.add(row)
      await report.add({
        ...originOf(line),
        seq,
        line: line.line,
        ...(own && { kind: own }),
        problems: found,
      })
    } else if (own === 'booking' || own === 'customer' || own === 'order') counts[own] += 1
    if (value !== undefined && (preview.size < PREVIEW_MAX || preview.has(row))) {
      const shown = preview.get(row) ?? { row: line.line, records: [] }
      shown.records.push(value)
      preview.set(row, shown)
    }
  }
  await report.flush()
  const has = (wanted: KindName) =>
    parsed.tables.some(({ records }) => records.some(({ kind }) => kind === wanted))
  const hasBookings = has('booking')
  const areOrders = !hasBookings && !has('customer') && has('order')
  return {
    guests: hasBookings ? counts.booking : areOrders ? counts.order : counts.customer,
    areOrders,
    refused: refused.size,
    causes: causes.reported(),
    preview: [...preview.values()],
    withoutBooking: !hasBookings && !areOrders,
    leftOut,
  }
}

/** The problems of a record as a new one: what its line says, and what it lacks. */
function problemsOf(kind: KindName, value: Record<string, unknown>): FieldProblem[] {
  const found = LINE_SCHEMAS[kind].record.check(value)
    ? []
    : findProblems(LINE_SCHEMAS[kind].record.schema, value)
  const lacking = KINDS[kind].schema.required.filter((field) => value[field] === undefined)
  const nameless = lacksAll(KINDS[kind], (field) => value[field] !== undefined)
  const { startDate, endDate } = value
  const isBackwards =
    typeof startDate === 'string' && typeof endDate === 'string' && found.length === 0 && endDate < startDate
  return [
    ...found,
    ...lacking.map((field) => missing(field)),
    ...(nameless === undefined ? [] : [nameless]),
    ...(isBackwards
      ? [
          {
            field: 'endDate',
            ...reason({ key: 'endBeforeStart', values: { end: endDate, start: startDate } }),
          },
        ]
      : []),
  ]
}

/** The first row of a record, and the values of all of its rows once they differ. */
interface Seen {
  readonly place: Place
  readonly text: string
  rows?: RowsOfRecord
}

type Place = Pick<RecordLine, 'line' | 'sheet' | 'terms'>
const placeOf = ({ line, sheet, terms }: RecordLine): Place => ({
  line,
  ...(sheet !== undefined && { sheet }),
  ...(terms !== undefined && { terms }),
})

/** A row of a record that an earlier row gives other values. */
function repeatOf(
  seen: Map<string, Seen>,
  kind: KindName,
  key: string,
  line: RecordLine,
  text: string,
): FieldProblem | undefined {
  const name = `${kind}\n${key}`
  const before = seen.get(name)
  if (before === undefined) {
    if (seen.size < KEYS_MAX) seen.set(name, { place: placeOf(line), text })
    return undefined
  }
  if (before.text === text) return undefined
  const add = (rows: RowsOfRecord, { line: number, sheet, terms }: Place, body: string) =>
    rows.add(
      JSON.parse(body) as JsonObject,
      { line: number, sheet },
      (field) => termsFor(terms, { field })?.rows,
    )
  if (before.rows === undefined) {
    before.rows = new RowsOfRecord()
    add(before.rows, before.place, before.text)
  }
  return add(before.rows, line, text).problem
}
