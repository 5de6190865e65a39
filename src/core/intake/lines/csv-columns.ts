/** The columns of a CSV file: which field each one is, and how its cells are read. */

import { TRUE_OR_FALSE } from '../../records/fields/values.ts'
import { InputError } from '../input-error.ts'
import type { Json, KindName } from '../kinds/kind.ts'
import { fieldPaths, shown, unknownField } from '../rejects/problems.ts'
import { LINE_SCHEMAS, type Schema } from './line-schemas.ts'

export interface CsvColumn {
  readonly path: readonly string[]
  readonly schema: Schema
}

/** A header with more unknown columns than this belongs to a table of another program. */
const UNKNOWN_MAX = 3

/** Means null, as in PostgreSQL's COPY; an empty cell leaves the field unchanged. */
const NULL_CELL = '\\N'
export const LIST_SEPARATOR = '|'

/**
 * Finds the fields of the header's columns.
 * @throws {InputError} if a column is not a field, or a field appears twice
 */
export function columnsOf(kind: KindName, header: readonly string[], name: string): CsvColumn[] {
  const schema = recordSchema(kind)
  const known = fieldPaths(schema)
  const problems: string[] = []
  const unknown: string[] = []
  const columns = header.map((cell): CsvColumn => {
    const field = cell.trim()
    const found = findField(schema, field)
    if (header.filter((other) => other.trim() === field).length > 1)
      problems.push(`"${shown(field)}" appears twice`)
    else if (found === undefined) unknown.push(field)
    else if (found.schema.properties || (found.schema.patternProperties && !found.schema.items)) {
      problems.push(
        `"${shown(field)}" is a group of fields; use a column for each of them, with a dot in its name`,
      )
    }
    return found ?? { path: [field], schema: {} }
  })
  if (unknown.length > UNKNOWN_MAX) problems.push(`${unknown.length} columns are not fields of a ${kind}`)
  else problems.push(...unknown.map((field) => `"${shown(field)}" ${unknownField(field, known).message}`))
  if (problems.length === 0) return columns
  const sentence = `${name}: invalid header: ${[...new Set(problems)].join('; ')}`
  const hint = 'For columns with names of their own, "sojourn import --explain FILE" proposes a mapping.'
  throw new InputError(unknown.length === 0 ? sentence : `${sentence}.\n${hint}`)
}

/** Every field that a line of this kind may have, whether it contains a record or a removal. */
export function recordSchema(kind: KindName): Schema {
  const { record, removal } = LINE_SCHEMAS[kind]
  // A column that marks removals is false in all other rows.
  const deleted: Schema = { type: 'boolean', expects: TRUE_OR_FALSE }
  return { properties: { ...removal.schema.properties, deleted, ...record.schema.properties } }
}

/** The path of a field in a record, and its schema; undefined if there is no such field. */
export function findField(schema: Schema, field: string): CsvColumn | undefined {
  const steps = field.split('.')
  const path: string[] = []
  let here = schema
  while (steps.length > 0) {
    const [pattern, entry] = Object.entries(here.patternProperties ?? {})[0] ?? []
    if (pattern !== undefined && entry !== undefined) {
      // Keys of custom fields may contain dots.
      const key = steps.join('.')
      return new RegExp(pattern).test(key) ? { path: [...path, key], schema: entry } : undefined
    }
    const step = steps.shift()!
    if (here.properties === undefined || !Object.hasOwn(here.properties, step)) return undefined
    here = here.properties[step]!
    path.push(step)
  }
  return { path, schema: here }
}

/** Reads a cell by its field's type. Undefined leaves the field out. A cell that does not fit the type stays text. */
export function readCell(schema: Schema, cell: string): Json | undefined {
  if (cell === '') return undefined
  if (cell === NULL_CELL) return null
  if (schema.items !== undefined) {
    if (schema.items.properties !== undefined) return readJson(cell)
    const item = schema.items
    return cell.split(LIST_SEPARATOR).map((part) => readCell(item, part) ?? '')
  }
  const types = [schema.type ?? []].flat()
  if (types.includes('string')) return cell
  if (
    (types.includes('number') || types.includes('integer')) &&
    /^[+-]?\d+(\.\d+)?([eE][+-]?\d+)?$/.test(cell)
  ) {
    return Number(cell)
  }
  const lower = cell.toLowerCase()
  const isFlag = types.includes('boolean') || schema.enum?.includes(true)
  if (isFlag && (lower === 'true' || lower === 'false')) return lower === 'true'
  return cell
}

function readJson(cell: string): Json {
  try {
    return JSON.parse(cell) as Json
  } catch {
    return cell
  }
}
