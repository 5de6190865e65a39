/** Converts records to rows of their table, and rows from the database back. */
import { isoMoment } from '../../locale/dates.ts'
import {
  type Column,
  type Json,
  type JsonObject,
  KIND_NAMES,
  type Kind,
  type KindName,
} from '../kinds/kind.ts'
import { KINDS } from '../kinds.ts'
import { canonical, withoutEmptyObjects } from '../merge/merge.ts'

/** A merged row by column name, without empty columns. */
export type RowState = JsonObject

/** The row's merge patch for the fields of a valid, converted record. */
export function toRowPatch(kind: Kind, record: JsonObject): JsonObject {
  const row: JsonObject = {}
  for (const { name, field } of kind.columns) {
    if (field === undefined) continue
    const value = record[field]
    if (value !== undefined) row[name] = value
  }
  kind.toRow?.(record, row)
  return row
}

/** Converts a row as the database returns it. */
export function fromDatabase(kind: Kind, row: Record<string, unknown>): RowState {
  const state: RowState = {}
  for (const { name, type } of kind.columns) {
    const value = row[name]
    if (value === null || value === undefined) continue
    state[name] = readValue(type, value)
  }
  return state
}

/** The database layer returns timestamps as epoch milliseconds, jsonb parsed and bytea as bytes. */
function readValue(type: Column['type'], value: unknown): Json {
  if (type === 'timestamptz') return isoMoment(value as number)
  if (type === 'bytea') return `\\x${Buffer.from(value as Uint8Array).toString('hex')}`
  return value as Json
}

/** Normalizes a merged row for comparing and writing. Changes `state`. */
export function tidyRow(kind: Kind, state: RowState): RowState {
  for (const { name, type, empty } of kind.columns) {
    const value = state[name]
    if (type === 'jsonb' && value !== undefined && !Array.isArray(value)) {
      const left = withoutEmptyObjects(value as JsonObject)
      if (left === undefined) delete state[name]
      else state[name] = left
    }
    if (state[name] === undefined && empty !== undefined) state[name] = empty
  }
  kind.tidy?.(state)
  return state
}

/** The column that stores a field. */
export const columnOf = (kind: Kind, field: string): string =>
  kind.columns.find((column) => column.field === field)?.name ?? field

/** The required fields that a merged row lacks. */
export function missingFields(kind: Kind, state: RowState): string[] {
  return REQUIRED[kind.name].filter(({ name }) => state[name] === undefined).map(({ field }) => field ?? '')
}

const REQUIRED = Object.fromEntries(
  KIND_NAMES.map((name) => [
    name,
    (KINDS[name].columns as readonly Column[]).filter(
      ({ field }) => field !== undefined && KINDS[name].schema.required.includes(field),
    ),
  ]),
) as unknown as Readonly<Record<KindName, readonly Column[]>>

/** Whether two rows are equal, or both absent. */
export function sameRow(kind: Kind, one: RowState | undefined, other: RowState | undefined): boolean {
  if (one === undefined || other === undefined) return one === other
  return kind.columns.every(({ name }) => {
    const a = one[name] ?? null
    const b = other[name] ?? null
    return a === b || (typeof a === 'object' && typeof b === 'object' && canonical(a) === canonical(b))
  })
}
