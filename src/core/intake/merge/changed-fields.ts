/** What changes of a record, field by field, as a person reads it. */
import type { Json, JsonObject, Kind } from '../kinds/kind.ts'
import { recordOfRow } from '../lines/record-of-row.ts'
import type { RowState } from '../lines/rows.ts'

export interface ChangedField {
  /** `acc.roomId`; of the second entry of a list `items.2.price` */
  readonly field: string
  /** as text, or the texts of a list; undefined if there was no value */
  readonly before?: ChangedValue
  /** undefined if there is no value any more */
  readonly after?: ChangedValue
}

type ChangedValue = string | readonly string[]

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
    row === undefined ? new Map<string, ChangedValue>() : leavesOf(recordOfRow(kind, centerId, row, {})),
  )
  const names = new Set([...(old?.keys() ?? []), ...(now?.keys() ?? [])])
  return [...names]
    .flatMap((field): ChangedField[] => {
      const [was, is] = [old?.get(field), now?.get(field)]
      if (isSame(was, is)) return []
      return [{ field, ...(was !== undefined && { before: was }), ...(is !== undefined && { after: is }) }]
    })
    .slice(0, FIELDS_MAX)
}

const NOT_FIELDS = new Set(['kind', 'centerId'])

const isSame = (one: ChangedValue | undefined, other: ChangedValue | undefined) =>
  typeof one === 'object' && typeof other === 'object'
    ? one.length === other.length && one.every((text, at) => text === other[at])
    : one === other

const isList = (value: Json): value is Json[] => Array.isArray(value)

/** An entry of a list that is an object has its position in its path, counted from 1. */
function leavesOf(record: JsonObject): Map<string, ChangedValue> {
  const found = new Map<string, ChangedValue>()
  const add = (path: string, value: Json) => {
    if (value === null || NOT_FIELDS.has(path)) return
    if (typeof value !== 'object') found.set(path, shortened(value))
    else if (!isList(value))
      for (const [name, child] of Object.entries(value)) add(path === '' ? name : `${path}.${name}`, child)
    else if (value.some((one) => typeof one === 'object'))
      for (const [at, child] of value.entries()) add(`${path}.${at + 1}`, child)
    else if (value.length > 0) found.set(path, entriesOf(value))
  }
  add('', record)
  return found
}

/** So many characters of a list are shown, too. */
function entriesOf(list: readonly Json[]): string[] {
  let left = CHARACTERS_MAX
  const shown = list.map(shortened).filter((text) => {
    left -= text.length
    return left >= 0
  })
  return shown.length < list.length ? [...shown, '…'] : shown
}

function shortened(value: Json): string {
  const text = String(value)
  return text.length > CHARACTERS_MAX ? `${text.slice(0, CHARACTERS_MAX)}…` : text
}
