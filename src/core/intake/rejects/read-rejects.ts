/**
 * Reads corrected rows and lines that an import has refused. A table of rejects is the original table with columns
 * added on the left. If the original header changes, the new header is inserted as a row.
 */
import { InputError } from '../input-error.ts'
import type { KindName } from '../kinds/kind.ts'
import { isKindName } from '../kinds.ts'
import { readRecordRows } from '../lines/read-record-rows.ts'
import type { RecordLine } from '../lines/record-line.ts'
import { mapRows, tableLabel } from '../spreadsheets/mapping/map-rows.ts'
import type { Mapping } from '../spreadsheets/mapping/mapping.ts'
import type { Tables } from '../spreadsheets/tables/read-tables.ts'
import { cellText, type Row } from '../spreadsheets/tables/table.ts'
import { isObject } from './problems.ts'
import {
  ADDED_COLUMNS,
  INVALID,
  KINDS_JOINED,
  NOTHING_IMPORTED,
  notImported,
  REJECTED,
} from './reject-marks.ts'

const OWN_COLUMNS = 1 + ADDED_COLUMNS.length

/** Nobody corrects more rows than this by hand. */
const ROWS_MAX = 100_000

/** The rows below one header. */
interface Section {
  readonly header: Row
  readonly rows: Row[]
}

/**
 * @param name the file's name, for messages
 * @throws {InputError} if it is not a table of rejects, or nothing of the original file was imported
 */
export async function* readRejectedRows(
  tables: Promise<Tables>,
  name: string,
  { mapping, kind }: { mapping: Mapping | undefined; kind: KindName | undefined },
): AsyncGenerator<RecordLine> {
  const { table, close } = await tables
  try {
    for (const { header, rows } of await sectionsOf(table(0).rows, name)) {
      for (const [label, ofLabel] of Map.groupBy(rows, ({ cells }) => cellText(cells[1]))) {
        const own = ofLabel.map(withoutOwn)
        if (mapping === undefined) {
          const known = kind ?? label
          if (!isKindName(known))
            throw new InputError(`${name}: use --kind or --map as in the import that rejected its rows`)
          yield* readRecordRows({ rows: [withoutOwn(header), ...own], isPadded: true }, known, name)
          continue
        }
        const names = withoutOwn(header).cells.map(cellText)
        const refused = new Map(
          own.map((row, at) => [row, cellText(ofLabel[at]?.cells[2]).split(KINDS_JOINED)]),
        )
        const isRefused = (row: Row, kind: KindName) => refused.get(row)?.includes(kind) === true
        for (const wanted of mapping.tables.filter((one) => tableLabel(one) === label)) {
          const body = { names, isNamed: true, rows: own }
          yield* mapRows(body, wanted, { table: name, mapping: mapping.name, isRefused })
        }
      }
    }
  } finally {
    await close()
  }
}

async function sectionsOf(rows: AsyncIterable<Row>, name: string): Promise<Section[]> {
  const sections: Section[] = []
  let count = 0
  for await (const row of rows) {
    const mark = cellText(row.cells[0])
    if (mark === INVALID) throw notImported(name)
    if (mark === REJECTED) {
      sections.push({ header: row, rows: [] })
      continue
    }
    const section = sections.at(-1)
    if (section === undefined) {
      throw new InputError(`${name} is not a file of rejected rows: its first column is not "${REJECTED}"`)
    }
    count += 1
    if (count > ROWS_MAX) {
      throw new InputError(`${name} has more than ${ROWS_MAX} rows; correct the original file and import it`)
    }
    section.rows.push(row)
  }
  return sections
}

const withoutOwn = (row: Row): Row => ({ ...row, cells: row.cells.slice(OWN_COLUMNS).map(unescaped) })

/** A text that a spreadsheet would read as a formula was written with a leading apostrophe. */
const unescaped = (cell: Row['cells'][number]) =>
  typeof cell === 'string' && /^'[=@＝＠+\-＋－]/.test(cell) ? cell.slice(1) : cell

/** The records of the lines of a rejects file. */
export async function* readRejectedLines(
  lines: AsyncIterable<RecordLine>,
  name: string,
): AsyncGenerator<RecordLine> {
  for await (const line of lines) {
    const given = parsed(line.text)
    if (given === undefined) yield line
    else if (given[NOTHING_IMPORTED] === true) throw notImported(name)
    else if ('record' in given) {
      const { record } = given
      // A line that was not JSON is stored as its text, which may have been corrected.
      yield typeof record === 'string'
        ? { line: line.line, text: record }
        : { line: line.line, value: record }
    } else {
      throw new InputError(`${name} is not a file of rejected lines: line ${line.line} has no "record"`)
    }
  }
}

function parsed(text: string | undefined): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text ?? '')
    return isObject(value) ? value : undefined
  } catch {
    return undefined
  }
}
