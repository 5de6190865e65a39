/** Values of records by their paths: `address.city` is `['address', 'city']`. */
import type { Json, JsonObject } from './kinds/kind.ts'

/** Undefined where there is none, or no object on the way to it. */
export const valueAt = (record: JsonObject, path: readonly string[]): Json | undefined =>
  path.reduce<Json | undefined>(
    (value, name) => (typeof value === 'object' && !Array.isArray(value) ? value?.[name] : undefined),
    record,
  )

/** Sets the value at a path, with the objects on the way to it. */
export function put(record: JsonObject, path: readonly string[], value: Json): void {
  let holder = record
  for (const step of path.slice(0, -1)) {
    holder[step] ??= {}
    holder = holder[step] as JsonObject
  }
  holder[path.at(-1)!] = value
}
