/**
 * Rows of one table that make one record. They may repeat its values and add to them. If they give a field different
 * values, the mapping says which counts (`rows`), or the rows are refused: the last one would otherwise win silently, and
 * one guest's stay be served under another's name.
 */

import { isDeepStrictEqual } from 'node:util'
import { reason, type Sentence } from '../../locale/said.ts'
import type { Json, JsonObject } from '../kinds/kind.ts'
import { put } from '../lines/json-paths.ts'
import { type FieldProblem, isObject, shown } from '../rejects/problems.ts'
import type { Rows } from '../spreadsheets/mapping/mapping.ts'

/** A row, for messages. */
export interface RowPlace {
  readonly line: number
  readonly sheet?: string | undefined
}

interface Leaf {
  readonly path: readonly string[]
  readonly value: Json
}

interface Known {
  value: Json
  readonly place: RowPlace
}

/** Values of one record, from its first row to its last. Memory is bounded by the fields of the record. */
export class RowsOfRecord {
  readonly #known = new Map<string, Known>()
  #isFirst = true

  /**
   * Adds the record of the next row, and changes it to what the rows so far give together.
   * @param rowsOf what the mapping says about a field, by its name
   * @returns whether the record was changed, and the first field in which the rows differ
   */
  add(
    record: JsonObject,
    place: RowPlace,
    rowsOf: (field: string) => Rows | undefined,
  ): { isChanged: boolean; problem: FieldProblem | undefined } {
    let isChanged = false
    let problem: FieldProblem | undefined
    if (!this.#isFirst && this.#known.has('deleted') !== 'deleted' in record) {
      const before = [...this.#known.values()][0]?.place ?? place
      const isRemoval = 'deleted' in record
      problem = { field: 'deleted', ...messageOf([!isRemoval, isRemoval], before, place) }
    }
    for (const { path, value } of leavesOf(record, [])) {
      const field = path.join('.')
      const known = this.#known.get(field)
      if (known === undefined) {
        this.#known.set(field, { value, place })
        continue
      }
      const rows = rowsOf(field)
      if (isSame(known.value, value) && rows !== 'sum') continue
      if (rows === undefined) problem ??= { field, ...messageOf([known.value, value], known.place, place) }
      else if (rows === 'last') known.value = value
      else {
        known.value = rows === 'sum' ? added(known.value, value) : known.value
        put(record, path, known.value)
        isChanged = true
      }
    }
    this.#isFirst = false
    return { isChanged, problem }
  }
}

/** Rounds off the error of binary fractions. A value that is no number is reported by its own check. */
export const added = (one: Json, other: Json): Json =>
  typeof one === 'number' && typeof other === 'number' ? Math.round((one + other) * 1e6) / 1e6 : other

/** The version says itself which row is newer. */
const NOT_COMPARED = new Set(['version'])

function leavesOf(record: JsonObject, at: readonly string[]): Leaf[] {
  return Object.entries(record).flatMap(([name, value]) => {
    if (at.length === 0 && NOT_COMPARED.has(name)) return []
    const path = [...at, name]
    return isObject(value) ? leavesOf(value as JsonObject, path) : [{ path, value }]
  })
}

/** As in identifiers made from names, case, repeated spaces and the Unicode form of accents make no difference. */
const isSame = (one: Json, other: Json): boolean =>
  typeof one === 'string' && typeof other === 'string'
    ? one === other || folded(one) === folded(other)
    : isDeepStrictEqual(one, other)

const folded = (text: string) => text.normalize('NFKC').toLowerCase().trim().replaceAll(/\s+/g, ' ')

function messageOf(
  [before, now]: readonly [Json, Json],
  there: RowPlace,
  here: RowPlace,
): Omit<FieldProblem, 'field'> {
  const isOneSheet = there.sheet === here.sheet
  const rowOf = ({ line: row, sheet }: RowPlace): Sentence =>
    isOneSheet || sheet === undefined
      ? { key: 'inRow', values: { row } }
      : { key: 'inRowOfSheet', values: { row, name: shown(sheet) } }
  const isOneRow = isOneSheet && there.line === here.line
  const places: Record<'there' | 'here', Sentence> = isOneRow
    ? { there: { key: 'once' }, here: { key: 'onceInRow', values: { row: here.line } } }
    : { there: rowOf(there), here: rowOf(here) }
  return {
    ...reason({ key: 'contradicts', values: { one: quoted(before), other: quoted(now), ...places } }),
    likeness: { is: 'contradiction' },
  }
}

const quoted = (value: Json) => `"${shown(typeof value === 'string' ? value : JSON.stringify(value))}"`
