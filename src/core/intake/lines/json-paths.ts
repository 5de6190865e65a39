/** Values of records by path: `address.city` is `['address', 'city']`. */
import type { Json, JsonObject } from '../kinds/kind.ts'

/** @returns undefined if there is no value, or a step of the path is not an object */
export const valueAt = (record: JsonObject, path: readonly string[]): Json | undefined =>
  path.reduce<Json | undefined>(
    (value, name) => (typeof value === 'object' && !Array.isArray(value) ? value?.[name] : undefined),
    record,
  )

/** Sets the value at a path, and creates missing objects on the way. */
export function put(record: JsonObject, path: readonly string[], value: Json): void {
  let holder = record
  for (const step of path.slice(0, -1)) {
    holder[step] ??= {}
    holder = holder[step] as JsonObject
  }
  holder[path.at(-1)!] = value
}
