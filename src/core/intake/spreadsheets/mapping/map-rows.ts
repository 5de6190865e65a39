/** Converts the rows of a table into records by a mapping. */
import type { Sentence } from '../../../locale/said.ts'
import { InputError } from '../../input-error.ts'
import type { KindName } from '../../kinds/kind.ts'
import { HIDDEN, type LeftOut, NOT_NAMED, TableUse } from '../../lines/left-out.ts'
import { LINE_BYTES_MAX } from '../../lines/read-ndjson.ts'
import type { RecordLine } from '../../lines/record-line.ts'
import { shown } from '../../rejects/problems.ts'
import { Slices } from '../../slices.ts'
import type { Tables } from '../tables/read-tables.ts'
import type { Cell, Row } from '../tables/table.ts'
import { cellsAre, cellText } from '../tables/table.ts'
import { columnNames, findColumns, letterOf } from './header.ts'
import { type ColumnRef, columnsOf, type Mapping, type TableMapping } from './mapping.ts'
import type { CellAt } from './read-value.ts'
import { RecordMaker } from './record-maker.ts'
import { OWN_TERMS, termsOf } from './terms.ts'

/**
 * The records of all tables that a mapping uses.
 * @param name the file's name, for messages
 * @param onLeftOut called once all is read, with what became no record
 * @throws {InputError} if the file lacks a sheet or a column of the mapping
 */
export async function* mapTables(
  tables: Promise<Tables>,
  mapping: Mapping,
  name: string,
  onLeftOut?: (leftOut: LeftOut) => void,
): AsyncGenerator<RecordLine> {
  const { sheets, hidden, table, close } = await tables
  try {
    const wantedAt = mapping.tables.map(
      (wanted) => [wanted, sheetIndex({ sheets, hidden }, wanted.sheet, mapping.name, name)] as const,
    )
    const readers = Map.groupBy(wantedAt, ([, index]) => index)
    const uses = new Map(
      [...readers].map(([index, { length }]) => [index, new TableUse(sheets?.[index], length)]),
    )
    for (const [wanted, index] of wantedAt) {
      const { sheet, rows } = table(index)
      const body = await bodyOf(rows, wanted.header, name)
      yield* mapRows(body, wanted, {
        table: sheets === undefined ? name : `${name}:${sheets[index]}`,
        mapping: mapping.name,
        sheet,
        use: uses.get(index),
      })
    }
    const unread = (sheets ?? []).filter((_, index) => !uses.has(index))
    onLeftOut?.({
      tables: [...uses.values()].map(({ leftOut }) => leftOut),
      sheets: unread.map((sheet) => ({ sheet, reason: hidden.has(sheet) ? HIDDEN : NOT_NAMED })),
    })
  } finally {
    await close()
  }
}

/** A table without its header. */
export interface Body {
  readonly names: readonly string[]
  /** Whether a row may not have more cells than there are names. */
  readonly isNamed: boolean
  readonly rows: AsyncIterable<Row> | Iterable<Row>
}

/** @throws {InputError} if there is no header */
async function bodyOf(rows: AsyncIterable<Row>, header: number, name: string): Promise<Body> {
  const iterator = rows[Symbol.asyncIterator]()
  while (true) {
    const { done, value: row } = await iterator.next()
    if (done) throw new InputError(`${name} has no rows`)
    if (row.number < header) continue
    const rest = { [Symbol.asyncIterator]: () => iterator }
    if (header > 0) return { names: columnNames(row.cells), isNamed: true, rows: rest }
    // The first rows may be titles, which have fewer cells than the others.
    const first = [row]
    while (first.length < TITLES_MAX) {
      const next = await iterator.next()
      if (next.done) break
      first.push(next.value)
    }
    const width = Math.max(...first.map(({ cells }) => cells.length))
    const names = Array.from({ length: width }, (_, at) => letterOf(at))
    return { names, isNamed: false, rows: preceded(first, rest) }
  }
}

/** Rows by which the columns of a table without headings are counted. */
const TITLES_MAX = 30

async function* preceded(first: readonly Row[], rows: AsyncIterable<Row>): AsyncGenerator<Row> {
  yield* first
  yield* rows
}

/** The first sheet that is not hidden, unless the mapping names one. */
function sheetIndex(
  { sheets, hidden }: Pick<Tables, 'sheets' | 'hidden'>,
  wanted: string | number | undefined,
  mapping: string,
  name: string,
): number {
  if (sheets === undefined) return 0
  const first = Math.max(
    0,
    sheets.findIndex((sheet) => !hidden.has(sheet)),
  )
  const index =
    typeof wanted === 'number' ? wanted - 1 : wanted === undefined ? first : sheets.indexOf(wanted)
  if (sheets[index] !== undefined) return index
  const known = sheets.map((sheet) => `"${shown(sheet)}"`).join(', ')
  throw new InputError(`${mapping}: ${name} has no sheet ${JSON.stringify(wanted)}; its sheets are ${known}`)
}

interface Names {
  /** for messages */
  readonly table: string
  readonly mapping: string
  readonly sheet?: string | undefined
  /** Notes what is used of the table. */
  readonly use?: TableUse | undefined
  /**
   * For rejected rows: whether the record of this kind was refused. The list of such a record may continue in other
   * rows.
   */
  readonly isRefused?: (row: Row, kind: KindName) => boolean
}

/** @throws {InputError} if the table lacks a column of the mapping */
export async function* mapRows(
  { names, isNamed, rows }: Body,
  mapping: TableMapping,
  { table, mapping: mappingName, sheet, use, isRefused }: Names,
): AsyncGenerator<RecordLine> {
  const wanted = wantedBy(mapping)
  const columns = findColumns(wanted, names, table)
  const slices = new Slices()
  const origin = sheet === undefined ? {} : { sheet }
  const label = { mapping: mappingName, header: names, table: tableLabel(mapping) }
  const makers = mapping.records.map(
    (record) => new RecordMaker(record, { ...origin, terms: termsOf(record, label) }, isRefused),
  )
  const note = use?.begin(names, columns.values())
  for await (const row of rows) {
    if (row.isHidden === true && mapping.leavesHiddenOut) {
      note?.(row, false)
      continue
    }
    const tooWide = isNamed && row.cells.slice(names.length).some((cell) => cellText(cell) !== '')
    const problem: Sentence | undefined =
      row.problem ??
      (tooWide ? cellsAre(row.cells.length, names.length) : undefined) ??
      (takenOf(row, wanted, columns) > LINE_BYTES_MAX ? TOO_MUCH : undefined)
    if (problem !== undefined) {
      const terms = { ...OWN_TERMS, ...label }
      yield { line: row.number, ...origin, terms, problem, text: JSON.stringify(row.cells), rows: [row] }
    }
    const cellAt: CellAt = (column) => cellIn(row, columns.get(column))
    let isTaken = problem !== undefined
    for (const maker of makers) {
      const reading = maker.take(row, cellAt, problem !== undefined)
      while (true) {
        const { done, value } = slices.do(() => reading.next())
        if (slices.isOver) await slices.letOthersRun()
        if (done) {
          isTaken ||= value
          break
        }
        if (value !== undefined) yield value
      }
    }
    note?.(row, isTaken)
  }
  for (const maker of makers) yield* maker.end()
}

/** The mapping's name for its sheet, by which refused rows are matched to their part of the mapping. */
export const tableLabel = ({ sheet }: TableMapping) => String(sheet ?? '')

/** Characters that fields and conditions take of a row: a mapping may make a thousand fields of one cell. */
const takenOf = (
  { cells }: Row,
  wanted: readonly ColumnRef[],
  columns: ReadonlyMap<ColumnRef, number>,
): number =>
  wanted.reduce((sum, ref) => {
    const cell = cells[columns.get(ref) ?? -1]
    return typeof cell === 'string' ? sum + cell.length : sum
  }, 0)

const TOO_MUCH: Sentence = {
  english: `gives the fields of the mapping more than ${LINE_BYTES_MAX} characters`,
}

const cellIn = ({ cells }: Row, column: number | undefined): Cell | undefined =>
  column === undefined ? undefined : cells[column]

const wantedBy = ({ records }: TableMapping): ColumnRef[] =>
  records.flatMap(({ when, fields }) => [
    ...when.flatMap(({ columns }) => columns),
    ...fields.flatMap(({ source }) => columnsOf(source)),
  ])
