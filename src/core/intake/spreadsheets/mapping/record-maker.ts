/** Makes the records of one kind from the rows of a table. A record may have several rows. */
import { isDeepStrictEqual } from 'node:util'
import type { Sentence } from '../../../locale/said.ts'
import { InputError } from '../../input-error.ts'
import type { Json, JsonObject, KindName } from '../../kinds/kind.ts'
import { KINDS } from '../../kinds.ts'
import { put, valueAt } from '../../lines/json-paths.ts'
import type { Origin, RecordLine } from '../../lines/record-line.ts'
import { shown } from '../../rejects/problems.ts'
import { added } from '../../stage/contradictions.ts'
import { cellText, type Row, valueText } from '../tables/table.ts'
import { type Condition, columnsOf, type FieldMapping, type RecordMapping } from './mapping.ts'
import { type CellAt, readFields } from './read-value.ts'
import { foldWord } from './words.ts'

/** Maximum number of records with collected lists, because their identifiers are stored in memory. */
const COLLECTED_MAX = 1_000_000

/** Makes the records of one mapping, row by row. */
export class RecordMaker {
  readonly #mapping: RecordMapping
  readonly #origin: Origin
  readonly #keys: readonly string[]
  readonly #isRefused: ((row: Row, kind: KindName) => boolean) | undefined
  /** The record whose list may continue in the next row. */
  #open: Collected | undefined
  readonly #closed = new Set<string>()

  constructor(
    mapping: RecordMapping,
    origin: Origin,
    isRefused: ((row: Row, kind: KindName) => boolean) | undefined,
  ) {
    this.#mapping = mapping
    this.#origin = origin
    this.#isRefused = isRefused
    this.#keys = KINDS[mapping.kind].key.map(({ field }) => field)
  }

  /**
   * It yields undefined where others may run.
   * @param isUnreadable whether the row was refused, so that a record including it would be incomplete
   * @returns whether the row meets the conditions of the record
   */
  *take(row: Row, cellAt: CellAt, isUnreadable: boolean): Generator<RecordLine | undefined, boolean> {
    const { when, kind, fields, collects } = this.#mapping
    if (isUnreadable && collects === undefined) return false
    if (!when.every((condition) => holds(condition, cellAt))) return false
    // The record was imported as a whole. Made again from only the rejected rows, it would lose the data of the others.
    if (collects !== undefined && this.#isRefused?.(row, kind) === false) return true
    const value = this.#tidy({ kind, ...(yield* readFields(fields, cellAt)) })
    if (collects === undefined) yield this.#line([row], value)
    else yield* this.#collect(row, value, isUnreadable)
    return true
  }

  *#collect(row: Row, value: JsonObject, isUnreadable: boolean): Generator<RecordLine> {
    const { kind } = this.#mapping
    const key = JSON.stringify([value.centerId, ...this.#keys.map((field) => value[field])])
    if (this.#open?.key === key) {
      if (isUnreadable) this.#open.unreadable ??= row
      this.#goOn(this.#open, row, value)
      return
    }
    yield* this.end()
    if (this.#closed.has(key)) {
      const problem = {
        english: `continues a ${kind} whose rows ended further above; sort the file so that they are consecutive`,
      }
      yield { ...this.#line([row], value), kind, problem, text: JSON.stringify(value) }
      return
    }
    if (this.#closed.size >= COLLECTED_MAX) {
      throw new InputError(`collect takes at most ${COLLECTED_MAX} records; split the file`)
    }
    this.#closed.add(key)
    this.#open = { rows: [row], key, value, differs: undefined, unreadable: isUnreadable ? row : undefined }
  }

  /**
   * Adds the next row of the same record: its list continues, and all other values must be equal unless the mapping
   * says how to combine them.
   */
  #goOn(open: Collected, row: Row, value: JsonObject): void {
    open.rows.push(row)
    for (const field of this.#mapping.fields) {
      const [before, now] = [valueAt(open.value, field.path), valueAt(value, field.path)]
      if (now === undefined) continue
      const joined =
        field.name === this.#mapping.collects ? [before ?? [], now].flat() : join(field, before, now)
      if (joined === undefined) open.differs ??= field
      else put(open.value, field.path, joined)
    }
  }

  *end(): Generator<RecordLine> {
    const open = this.#open
    this.#open = undefined
    if (open === undefined) return
    const line = this.#line(open.rows, open.value)
    const { differs, unreadable } = open
    const { kind } = this.#mapping
    const problem: Sentence | undefined =
      unreadable !== undefined
        ? { english: `a row of this ${kind} cannot be read (${unreadable.number})` }
        : differs && this.#differing(differs)
    yield problem === undefined ? line : { ...line, kind, problem, text: JSON.stringify(open.value) }
  }

  #differing({ name, source, schema }: FieldMapping): Sentence {
    const column = columnsOf(source)[0]?.name ?? ''
    const isNumber = [schema.type ?? []].flat().includes('number')
    const ways = `{column: ${shown(column)}, rows: first}, or ${isNumber ? 'with last or sum' : 'with last'}`
    const which = `say in ${this.#origin.terms?.mapping} which of them it is: ${name}: ${ways}`
    return {
      english: `the rows of one ${this.#mapping.kind} differ in ${shown(column)} (${name}); ${which}`,
    }
  }

  #line(rows: readonly [Row, ...Row[]], value: JsonObject): RecordLine {
    return { line: rows[0].number, ...this.#origin, value, loose: true, rows }
  }

  /** A removed record has only its identifier; other records have no `deleted`. */
  #tidy(value: JsonObject): JsonObject {
    if (value.deleted === false) delete value.deleted
    if (value.deleted !== true) return value
    const retained = ['kind', 'centerId', 'deleted', ...this.#keys]
    return Object.fromEntries(Object.entries(value).filter(([name]) => retained.includes(name)))
  }
}

/** A record whose list may continue in the next row. */
interface Collected {
  readonly rows: [Row, ...Row[]]
  readonly key: string
  readonly value: JsonObject
  /** The first field in which its rows differ. */
  differs: FieldMapping | undefined
  /** The first of its rows that could not be read. */
  unreadable: Row | undefined
}

/**
 * Combines the values of two rows of a record. @returns undefined if they differ and the mapping does not say how to
 * combine them
 */
function join({ source }: FieldMapping, before: Json | undefined, now: Json): Json | undefined {
  const rows = source.from === 'cells' ? source.rows : undefined
  if (before === undefined || rows === 'last') return now
  // A value that was refused as a number cannot be added; its own check reports it.
  if (rows === 'sum' && typeof before === 'number') return added(before, now)
  return rows !== undefined || isDeepStrictEqual(before, now) ? before : undefined
}

function holds({ columns, is, not }: Condition, cellAt: CellAt): boolean {
  const matches = (text: string) => {
    if (is === undefined && not === undefined) return valueText(text) !== ''
    const word = foldWord(text)
    return (is === undefined || is.has(word)) && not?.has(word) !== true
  }
  return columns.some((column) => matches(cellText(cellAt(column))))
}
