/** Merge patches (RFC 7396), and the canonical form for comparing rows. */
import type { Json, JsonObject } from '../kinds/kind.ts'

function isJsonObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Merges `patch` into `target`: null removes, objects merge, everything else replaces. Changes neither. */
export function mergePatch(target: Json | undefined, patch: JsonObject): JsonObject {
  const merged: JsonObject = isJsonObject(target) ? { ...target } : {}
  for (const key in patch) {
    const value = patch[key]!
    if (value === null) delete merged[key]
    else merged[key] = isJsonObject(value) ? mergePatch(merged[key], value) : value
  }
  return merged
}

/** Removes empty objects; undefined if nothing is left. Lists are left unchanged. */
export function withoutEmptyObjects(value: JsonObject): JsonObject | undefined {
  const remaining: JsonObject = {}
  let isEmpty = true
  for (const key in value) {
    const child = value[key]!
    const left = isJsonObject(child) ? withoutEmptyObjects(child) : child
    if (left === undefined) continue
    remaining[key] = left
    isEmpty = false
  }
  return isEmpty ? undefined : remaining
}

/** JSON text with sorted keys, which is equal for equal values. */
export function canonical(value: Json): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`
  const keys = Object.keys(value).sort()
  return `{${keys.map((key) => `${JSON.stringify(key)}:${canonical(value[key]!)}`).join(',')}}`
}
