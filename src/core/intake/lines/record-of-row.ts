/** Makes a record from a stored row: the record that an import would make the row from. */
import type { Json, JsonObject, Kind } from '../kinds/kind.ts'
import { canonical } from '../merge/merge.ts'

/**
 * The record, with its fields in the order of the kind's schema. Nulls are left out, and so are lists and objects that
 * are empty by default. @param row by column name, in the form in which an import merges it (`fromDatabase`)
 */
export function recordOfRow(kind: Kind, centerId: string, row: JsonObject, key: JsonObject): JsonObject {
  const fields: JsonObject = { ...key }
  for (const { name, field, empty } of kind.columns) {
    const value = row[name]
    if (field === undefined || value === undefined) continue
    // A default that is a choice, such as a language, is written, because another version might choose differently.
    if (empty !== undefined && isEmpty(empty) && canonical(empty) === canonical(value)) continue
    fields[field] = value
  }
  kind.fromRow?.(row, fields)
  const record: JsonObject = { kind: kind.name, ...(kind.name === 'center' ? {} : { centerId }) }
  for (const field of Object.keys(kind.schema.properties)) {
    const value = compact(fields[field])
    if (value !== undefined) record[field] = value
  }
  return record
}

const isEmpty = (value: Json) =>
  typeof value === 'object' && value !== null && Object.keys(value).length === 0

/** Removes what an import would not store: nulls in objects, and empty objects. */
function compact(value: Json | undefined): Json | undefined {
  if (value === undefined || value === null) return undefined
  if (typeof value !== 'object' || Array.isArray(value)) return value
  const remaining: JsonObject = {}
  for (const [name, child] of Object.entries(value)) {
    const left = compact(child)
    if (left !== undefined) remaining[name] = left
  }
  return Object.keys(remaining).length === 0 ? undefined : remaining
}
