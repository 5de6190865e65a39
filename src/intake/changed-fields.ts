/** What changes of a record, field by field, as a person reads it. */
import type { Json, JsonObject, Kind } from './kinds/kind.ts'
import { recordOfRow } from './record-of-row.ts'
import type { RowState } from './rows.ts'

export interface ChangedField {
  /** `acc.roomId` */
  readonly field: string
  /** as text; undefined if there was no value */
  readonly before?: string
  /** undefined if there is no value any more */
  readonly after?: string
}

/** Nobody reads more of one record on a screen. */
const FIELDS_MAX = 40
const CHARACTERS_MAX = 200

export function changedFields(
  kind: Kind,
  centerId: string,
  before: RowState | undefined,
  after: RowState | undefined,
): ChangedField[] {
  const [old, now] = [before, after].map((row) =>
    row === undefined ? new Map<string, string>() : leavesOf(recordOfRow(kind, centerId, row, {})),
  )
  const names = new Set([...(old?.keys() ?? []), ...(now?.keys() ?? [])])
  return [...names]
    .flatMap((field): ChangedField[] => {
      const [was, is] = [old?.get(field), now?.get(field)]
      if (was === is) return []
      return [{ field, ...(was !== undefined && { before: was }), ...(is !== undefined && { after: is }) }]
    })
    .slice(0, FIELDS_MAX)
}

const NOT_FIELDS = new Set(['kind', 'centerId'])

function leavesOf(record: JsonObject): Map<string, string> {
  const found = new Map<string, string>()
  const add = (path: string, value: Json) => {
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
      for (const [name, child] of Object.entries(value)) add(path === '' ? name : `${path}.${name}`, child)
    } else if (value !== null && !NOT_FIELDS.has(path)) {
      const text = typeof value === 'object' ? JSON.stringify(value) : String(value)
      found.set(path, text.length > CHARACTERS_MAX ? `${text.slice(0, CHARACTERS_MAX)}…` : text)
    }
  }
  add('', record)
  return found
}
