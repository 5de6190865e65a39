/** Records become a file, some at a time: in pieces of no more than a slice, so that other requests are served in between. */

import { refuseForm } from '../../errors/unknown-form.ts'
import type { Manifest, ReceivedFact } from '../../request/operation.ts'
import { ITEMS_PER_SLICE } from '../../request/slices.ts'
import { BYTE_ORDER_MARK, csvLine } from './csv.ts'
import type { AskedFile } from './file-parameters.ts'
import { type Column, cellsOf, type FileRecord, headings, type TableCell, type Values } from './table.ts'
import { xlsxBytes } from './xlsx.ts'

export interface Written {
  /** of the sheet of a workbook */
  readonly name: string
  readonly columns: readonly Column[]
  /** IANA name */
  readonly zone: string
}

export function writeFile(
  { format, values, dialect }: AskedFile,
  { name, columns, zone }: Written,
  records: AsyncIterable<readonly FileRecord[]>,
  manifest: Manifest,
  hasSeveralRows = false,
): AsyncIterable<string | Uint8Array> {
  if (format === 'ndjson') return ndjson(records, manifest)
  const cells = cellsOf(columns, { values, zone })
  const names = headings(columns, values)
  switch (format) {
    case 'xlsx': {
      const received = receivedRows(manifest.received, values, zone)
      const sheet = { name, headings: names }
      if (hasSeveralRows) return countedXlsx(sheet, rowsOf(records, cells), received)
      return xlsxBytes(sheet, rowsOf(records, cells), { after: manifest.rows, rows: received })
    }
    case 'csv': {
      const first = (dialect.bom ? BYTE_ORDER_MARK : '') + csvLine(names, dialect)
      return lines(records, (record) => csvLine(cells(record), dialect, values === 'shown'), first)
    }
    default:
      return refuseForm(format)
  }
}

/** The second sheet begins after the last row, so rows whose number is not known are counted first. */
async function* countedXlsx(
  sheet: Parameters<typeof xlsxBytes>[0],
  rows: AsyncIterable<TableCell[]>,
  received: TableCell[][],
): AsyncGenerator<Uint8Array> {
  const counted: TableCell[][] = []
  for await (const row of rows) {
    // The file ends before its end, and does not open.
    if (counted.length >= COUNTED_ROWS_MAX) throw new Error('a workbook has too many rows to count them')
    counted.push(row)
  }
  yield* xlsxBytes(sheet, each(counted), { after: counted.length, rows: received })
}

/** Some 100 MB of cells. */
const COUNTED_ROWS_MAX = 100_000

async function* each<T>(items: readonly T[]): AsyncGenerator<T> {
  yield* items
}

/** Its last line says how many there were: a file without it was cut off. */
const ndjson = (records: AsyncIterable<readonly FileRecord[]>, manifest: Manifest) =>
  lines(records, (record) => `${JSON.stringify(record)}\n`, '', `${JSON.stringify({ manifest })}\n`)

/** The second sheet of ruling 46: how old the data is. Also if nothing is known, so that nobody takes it for fresh. */
function receivedRows(received: readonly ReceivedFact[], values: Values, zone: string): TableCell[][] {
  const moment = (at: string | null) =>
    at === null ? null : values === 'raw' ? at : localMoment(zone, Date.parse(at))
  const known = received.map(({ kind, at, everySeconds, dueAt, late }) => [
    kind,
    moment(at),
    everySeconds,
    moment(dueAt),
    late,
  ])
  const nothing = [['not known', null, null, null, null]]
  return [
    ['data', 'last received', 'usual seconds between deliveries', 'late from', 'late'],
    ...(known.length === 0 ? nothing : known),
  ]
}

/** `2026-11-21 04:00`, as programs for spreadsheets read it. */
const localMoment = (zone: string, at: number) =>
  Temporal.Instant.fromEpochMilliseconds(at)
    .toZonedDateTimeISO(zone)
    .toPlainDateTime()
    .toString({ smallestUnit: 'minute' })
    .replace('T', ' ')

async function* lines(
  records: AsyncIterable<readonly FileRecord[]>,
  line: (record: FileRecord) => string,
  first: string,
  last = '',
): AsyncGenerator<string> {
  let piece = first
  for await (const some of records) {
    for (let at = 0; at < some.length; at += ITEMS_PER_SLICE) {
      for (const record of some.slice(at, at + ITEMS_PER_SLICE)) piece += line(record)
      yield piece
      piece = ''
    }
  }
  if (piece + last !== '') yield piece + last
}

async function* rowsOf(
  records: AsyncIterable<readonly FileRecord[]>,
  cells: (record: FileRecord) => TableCell[],
): AsyncGenerator<TableCell[]> {
  for await (const some of records) {
    for (const record of some) yield cells(record)
  }
}
