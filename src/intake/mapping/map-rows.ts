/** Rows of a table as the records that a mapping makes of them. */
import { InputError } from '../input-error.ts'
import type { Json, JsonObject } from '../kinds/kind.ts'
import { KINDS } from '../kinds.ts'
import { shown } from '../problems.ts'
import type { RecordLine } from '../record-line.ts'
import type { Tables } from '../tables/read-tables.ts'
import type { Cell, Row, Table } from '../tables/table.ts'
import { cellText } from '../tables/table.ts'
import { foldWord } from './formats.ts'
import { columnNames, findColumns, letterOf } from './header.ts'
import {
  type ColumnRef,
  type Condition,
  columnsOf,
  type Mapping,
  type RecordMapping,
  type TableMapping,
} from './mapping.ts'
import { type CellAt, readFields } from './read-value.ts'
import { OWN_TERMS, type Terms, termsOf } from './terms.ts'

/** Records whose lists are collected; more of them would fill the memory with their identifiers. */
const COLLECTED_MAX = 1_000_000

/**
 * The records of all tables that a mapping names.
 * @param name the file's, for messages
 * @throws {InputError} where the file lacks a sheet or a column of the mapping
 */
export async function* mapTables(
  tables: Promise<Tables>,
  mapping: Mapping,
  name: string,
): AsyncGenerator<RecordLine> {
  const { sheets, table, close } = await tables
  try {
    for (const wanted of mapping.tables) {
      const index = sheetIndex(sheets, wanted.sheet, mapping.name, name)
      const of = { table: sheets === undefined ? name : `${name}:${sheets[index]}`, mapping: mapping.name }
      yield* mapRows(table(index), wanted, of)
    }
  } finally {
    await close()
  }
}

function sheetIndex(
  sheets: readonly string[] | undefined,
  wanted: string | number | undefined,
  mapping: string,
  name: string,
): number {
  if (sheets === undefined) return 0
  const index = typeof wanted === 'number' ? wanted - 1 : wanted === undefined ? 0 : sheets.indexOf(wanted)
  if (sheets[index] !== undefined) return index
  const known = sheets.map((sheet) => `"${shown(sheet)}"`).join(', ')
  throw new InputError(`${mapping}: ${name} has no sheet ${JSON.stringify(wanted)}; its sheets are ${known}`)
}

/**
 * @param names for messages
 * @throws {InputError} where the table lacks a column of the mapping
 */
async function* mapRows(
  table: Table,
  mapping: TableMapping,
  { table: name, mapping: mappingName }: { table: string; mapping: string },
): AsyncGenerator<RecordLine> {
  const makers = mapping.records.map((record) => new RecordMaker(record, mappingName, table.sheet))
  let header: { width: number; columns: ReadonlyMap<ColumnRef, number> } | undefined
  for await (const row of table.rows) {
    if (row.number < mapping.header) continue
    if (header === undefined) {
      const names = mapping.header === 0 ? row.cells.map((_, at) => letterOf(at)) : columnNames(row.cells)
      header = { width: names.length, columns: findColumns(wantedBy(mapping), names, name) }
      if (mapping.header > 0) continue
    }
    const { width, columns } = header
    const extra = row.cells.slice(width).some((cell) => cellText(cell) !== '')
    const tooWide = extra && mapping.header > 0
    const problem =
      row.problem ?? (tooWide ? `has ${row.cells.length} cells; the header has ${width}` : undefined)
    if (problem !== undefined) {
      const terms = makers[0]?.terms ?? OWN_TERMS
      yield { line: row.number, ...sheetOf(table), terms, problem, text: JSON.stringify(row.cells) }
      continue
    }
    const cellAt: CellAt = (column) => cellIn(row, columns.get(column))
    for (const maker of makers) yield* maker.take(row, cellAt)
  }
  if (header === undefined) throw new InputError(`${name} has no rows`)
  for (const maker of makers) yield* maker.end()
}

const sheetOf = ({ sheet }: Table) => (sheet === undefined ? {} : { sheet })

const cellIn = ({ cells }: Row, column: number | undefined): Cell | undefined =>
  column === undefined ? undefined : cells[column]

const wantedBy = ({ records }: TableMapping): ColumnRef[] =>
  records.flatMap(({ when, fields }) => [
    ...when.map(({ column }) => column),
    ...fields.flatMap(({ source }) => columnsOf(source)),
  ])

/** Makes the records of one kind. */
class RecordMaker {
  readonly #mapping: RecordMapping
  readonly terms: Terms
  readonly #sheet: string | undefined
  readonly #keys: readonly string[]
  /** The one whose list may go on in the next row. */
  #open: { line: number; key: string; value: JsonObject } | undefined
  readonly #closed = new Set<string>()

  constructor(mapping: RecordMapping, mappingName: string, sheet: string | undefined) {
    this.#mapping = mapping
    this.terms = termsOf(mapping, mappingName)
    this.#sheet = sheet
    this.#keys = KINDS[mapping.kind].key.map(({ field }) => field)
  }

  *take(row: Row, cellAt: CellAt): Generator<RecordLine> {
    const { when, kind, fields, collects } = this.#mapping
    if (!when.every((condition) => holds(condition, cellAt))) return
    const value = this.#tidy({ kind, ...readFields(fields, cellAt) })
    if (collects === undefined) {
      yield this.#line(row.number, value)
      return
    }
    const key = JSON.stringify([value.centerId, ...this.#keys.map((field) => value[field])])
    if (this.#open?.key === key) {
      const { value: open } = this.#open
      this.#open.value = {
        ...open,
        ...value,
        [collects]: [...listIn(open, collects), ...listIn(value, collects)],
      }
      return
    }
    yield* this.end()
    if (this.#closed.has(key)) {
      const problem = `goes on with a ${kind} whose rows ended further above; sort the file so that they follow each other`
      yield { ...this.#line(row.number, value), problem, text: JSON.stringify(value) }
      return
    }
    if (this.#closed.size >= COLLECTED_MAX) {
      throw new InputError(`collect takes at most ${COLLECTED_MAX} records; split the file`)
    }
    this.#closed.add(key)
    this.#open = { line: row.number, key, value }
  }

  *end(): Generator<RecordLine> {
    const open = this.#open
    this.#open = undefined
    if (open !== undefined) yield this.#line(open.line, open.value)
  }

  #line(line: number, value: JsonObject): RecordLine {
    const sheet = this.#sheet === undefined ? {} : { sheet: this.#sheet }
    return { line, ...sheet, value, loose: true, terms: this.terms }
  }

  /** A record that is removed has nothing but its identifier; all others have no such mark. */
  #tidy(value: JsonObject): JsonObject {
    if (value.deleted === false) delete value.deleted
    if (value.deleted !== true) return value
    const kept = ['kind', 'centerId', 'deleted', ...this.#keys]
    return Object.fromEntries(Object.entries(value).filter(([name]) => kept.includes(name)))
  }
}

const listIn = (value: JsonObject, name: string): Json[] => {
  const list = value[name]
  return Array.isArray(list) ? list : []
}

function holds({ column, is, not }: Condition, cellAt: CellAt): boolean {
  const text = foldWord(cellText(cellAt(column)))
  if (is === undefined && not === undefined) return text !== ''
  return (is === undefined || is.has(text)) && not?.has(text) !== true
}
