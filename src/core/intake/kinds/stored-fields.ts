/** The schema, columns and row of a kind whose fields are in the registry. */
import Type, { type TObject, type TSchema } from 'typebox'
import type { RecordField } from '../../records/fields/field.ts'
import type { Column, Json, JsonObject, Kind } from './kind.ts'

/** Where a value of the record, or a group of values, is stored: its column and path. */
interface Placement {
  readonly from: readonly string[]
  readonly column: string
  readonly to: readonly string[]
}

/**
 * @param key names of the identifying fields, which are not among the columns
 * @param first names of the fields that begin the record's description; the others follow in their order
 * @param groups descriptions of groups of fields
 */
export function storedFields(
  record: readonly RecordField[],
  key: readonly string[],
  first: readonly string[],
  groups: Readonly<Record<string, string>> = {},
): Pick<Kind, 'schema' | 'columns'> & Required<Pick<Kind, 'toRow' | 'fromRow'>> {
  const place = ({ name }: RecordField) => (first.includes(name) ? first.indexOf(name) : first.length)
  const fields = record.toSorted((a, b) => place(a) - place(b))
  const columnFields = fields.filter(({ name }) => !key.includes(name))
  const placements = placementsOf(columnFields, [])
  const isColumn = ({ from, to }: Placement) => from.length === 1 && to.length === 0
  const nested = placements.filter((placement) => !isColumn(placement))
  return {
    schema: schemaOf(fields, [], groups),
    columns: columnsOf(columnFields, placements.filter(isColumn)),
    toRow(values, row) {
      for (const { from, column, to } of nested) {
        const value = valueAt(values, from)
        if (value !== undefined) put(row, [column, ...to], value)
      }
    },
    fromRow(row, values) {
      for (const { from, column, to } of nested) {
        const value = valueAt(row, [column, ...to])
        if (value !== undefined && value !== null) put(values, from, value)
      }
    },
  }
}

const startsWith = (path: readonly string[], start: readonly string[]) =>
  start.every((name, at) => path[at] === name)

/** The groups and fields directly below a path, each with all fields in it. */
function below(fields: readonly RecordField[], at: readonly string[]): [string[], readonly RecordField[]][] {
  const within = fields.filter(({ path }) => startsWith(path, at))
  const byName = Map.groupBy(within, ({ path }) => path[at.length] ?? '')
  return [...byName].map(([name, held]) => [[...at, name], held])
}

/** The field at this path, if the path is not a group. */
const fieldAt = (held: readonly RecordField[], path: readonly string[]) =>
  held.find((field) => field.path.length === path.length)

function schemaOf(
  fields: readonly RecordField[],
  at: readonly string[],
  groups: Readonly<Record<string, string>>,
): TObject {
  const properties = below(fields, at).map(([path, held]): [string, TSchema] => {
    const field = fieldAt(held, path)
    if (field === undefined) return [path.at(-1) ?? '', Type.Optional(schemaOf(held, path, groups))]
    const schema = field.stored.kind.takes(field.recordDescription ?? field.description)
    const isRequired = field.stored.required && field.empty === undefined
    return [path.at(-1) ?? '', isRequired ? schema : Type.Optional(schema)]
  })
  const description = groups[at.join('.')]
  return Type.Object(Object.fromEntries(properties), description === undefined ? {} : { description })
}

function columnsOf(fields: readonly RecordField[], whole: readonly Placement[]): Column[] {
  return [...Map.groupBy(fields, ({ stored }) => stored.column)].map(([name, [field]]) => {
    const { path = [], kind } = field?.stored ?? {}
    const from = whole.find(({ column }) => column === name)?.from[0]
    return {
      name,
      type: path.length > 0 ? 'jsonb' : (kind?.column ?? 'text'),
      ...(from === undefined ? {} : { field: from }),
      ...(field?.empty === undefined ? {} : { empty: [...field.empty] }),
    }
  })
}

/** A group that is stored unchanged is copied as a whole; the fields of any other group are copied one by one. */
function placementsOf(fields: readonly RecordField[], at: readonly string[]): Placement[] {
  return below(fields, at).flatMap(([path, held]) => {
    const field = fieldAt(held, path)
    if (field !== undefined) return [{ from: path, column: field.stored.column, to: field.stored.path }]
    const whole = wholeGroup(fields, path, held)
    return whole === undefined ? placementsOf(fields, path) : [whole]
  })
}

function wholeGroup(
  fields: readonly RecordField[],
  from: readonly string[],
  held: readonly RecordField[],
): Placement | undefined {
  const [one] = held
  if (one === undefined) return undefined
  const { column, path } = one.stored
  const to = path.slice(0, path.length - (one.path.length - from.length))
  const isIn = ({ stored }: RecordField) => stored.column === column && startsWith(stored.path, to)
  const isSame = held.every(
    (field) =>
      isIn(field) && field.stored.path.slice(to.length).join() === field.path.slice(from.length).join(),
  )
  // Other values stored there would be cleared together with the group.
  const isAlone = fields.every((field) => held.includes(field) || !isIn(field))
  return isSame && isAlone ? { from, column, to } : undefined
}

/** The value at a path; null if a group on the path is cleared. */
function valueAt(values: JsonObject, path: readonly string[]): Json | undefined {
  let value: Json | undefined = values
  for (const name of path) {
    if (value === null || value === undefined) return value
    value = (value as JsonObject)[name]
  }
  return value
}

function put(row: JsonObject, path: readonly string[], value: Json): void {
  let holder = row
  for (const name of path.slice(0, -1)) {
    holder[name] ??= {}
    holder = holder[name] as JsonObject
  }
  holder[path.at(-1) ?? ''] = value
}
