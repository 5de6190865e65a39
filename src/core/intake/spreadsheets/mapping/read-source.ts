/** Reads where a field of a mapping takes its value from. */
import type { Json } from '../../kinds/kind.ts'
import type { Schema } from '../../lines/line-schemas.ts'
import { findProblems, shown } from '../../rejects/problems.ts'
import { readTime, timeFormat } from './formats.ts'
import {
  type CellSource,
  type ColumnRef,
  type FieldMapping,
  NAME_ORDERS,
  PARTS,
  type Part,
  ROWS,
  type Rows,
  SINGLE_NAMES,
  type Source,
} from './mapping.ts'
import { FORMAT_KEYS, formatsOf, type NamedFormats, readFormats } from './read-formats.ts'
import { DAYS_MAX } from './read-value.ts'
import type { TreeReader } from './tree-reader.ts'
import { foldWord } from './words.ts'
import type { MapNode, TreeNode } from './yaml-tree.ts'

export const SOURCE_KEYS = [
  'column',
  'columns',
  'join',
  'split',
  'part',
  'values',
  'type',
  'time',
  'default',
  'identifier',
  'prefix',
  'rows',
  'addDays',
  'less',
  'order',
  'single',
  ...FORMAT_KEYS,
  'value',
  'idOf',
]
const PART_MAX = 100

/** The context that reading a source needs. */
export interface SourceContext {
  readonly reader: TreeReader
  readonly formats: NamedFormats
  /** The day on which the mapping is read, `2026-11-25`: nobody is born later. */
  readonly today: string
  /** The source of the identifier of the record of this kind in the same table. */
  idOf(kind: string, at: string): { source: Source } | undefined
  /** The fields of an object in a list. */
  fields(node: MapNode, schema: Schema, prefix: string): FieldMapping[]
}

/** @returns undefined if the source is invalid, which the reader then has among its problems */
export function readSource(
  context: SourceContext,
  node: TreeNode,
  name: string,
  schema: Schema,
): Source | undefined {
  const { reader } = context
  if (node.type === 'scalar') {
    const column = reader.text({ value: node }, `the column of ${name}`)
    return column === undefined
      ? undefined
      : cellSource(context, name, [{ name: column, at: node.at }], undefined)
  }
  if (node.type === 'list') return readList(context, node.items, node.at, name, schema)
  const map = reader.map(node, name, SOURCE_KEYS)
  if (map === undefined) return undefined
  const kinds = ['column', 'columns', 'value', 'idOf'].filter((key) => map.entries.has(key))
  if (kinds.length !== 1) {
    const what = kinds.length === 0 ? 'needs' : `has ${kinds.join(' and ')}; it takes only`
    return reader.problem(node.at, `${name} ${what} one of column, columns, value and idOf`)
  }
  const constant = map.entries.get('value')
  if (constant !== undefined) return readConstant(context, constant.value, name, schema)
  const idOf = map.entries.get('idOf')
  if (idOf !== undefined) {
    const kind = reader.text(idOf, 'idOf')
    const found = kind === undefined ? undefined : context.idOf(kind, idOf.value.at)
    return found === undefined ? undefined : { from: 'record', source: found.source }
  }
  const columns = reader
    .texts(map.entries.get('column') ?? map.entries.get('columns'), `the column of ${name}`)
    .map(({ at, text }) => ({ name: text, at }))
  if (columns.length === 0) return reader.problem(node.at, `${name} names no column`)
  if (map.entries.get('column')?.value.type === 'list') {
    reader.problem(node.at, `column of ${name} is a list; use columns for several`)
  }
  return cellSource(context, name, columns, { map, schema })
}

function readList(
  context: SourceContext,
  items: readonly TreeNode[],
  at: string,
  name: string,
  schema: Schema,
): Source | undefined {
  const { items: itemSchema } = schema
  if (itemSchema === undefined) {
    return context.reader.problem(at, `${name} takes one value; for several columns, write {columns: [A, B]}`)
  }
  if (itemSchema.properties === undefined) {
    const sources = items.map((item) => readSource(context, item, name, itemSchema))
    return { from: 'list', sources: sources.filter((source) => source !== undefined) }
  }
  const entries = items.flatMap((item) => {
    const map = context.reader.map(item, `an entry of ${name}`)
    return map === undefined ? [] : [context.fields(map, itemSchema, `${name}.`)]
  })
  return { from: 'entries', entries }
}

function readConstant(
  { reader }: SourceContext,
  node: TreeNode,
  name: string,
  schema: Schema,
): Source | undefined {
  const value = amount(plain(node), schema)
  return checked(reader, node.at, name, schema, value) ? { from: 'constant', value } : undefined
}

/** `12.50` is text, because JSON writes 12.5, unless the field is a number. */
function amount(value: Json, { type }: Schema): Json {
  const isNumber = [type ?? []].flat().some((one) => one === 'number' || one === 'integer')
  return isNumber && typeof value === 'string' && /^-?\d{1,12}\.\d{1,6}$/.test(value) ? Number(value) : value
}

/** Converts a node to JSON. */
function plain(node: TreeNode): Json {
  if (node.type === 'scalar') return node.value
  if (node.type === 'list') return node.items.map(plain)
  return Object.fromEntries([...node.entries].map(([key, { value }]) => [key, plain(value)]))
}

/** Whether a field may have a value. If not, a problem is added. */
function checked(reader: TreeReader, at: string, name: string, schema: Schema, value: Json): boolean {
  if (value === null && !schema.type?.includes('null')) return true
  const [problem] = findProblems(schema, value)
  if (problem !== undefined) reader.problem(at, `${name} ${problem.message}`)
  return problem === undefined
}

function cellSource(
  context: SourceContext,
  name: string,
  columns: readonly ColumnRef[],
  given: { map: MapNode; schema: Schema } | undefined,
): CellSource {
  const none: CellSource = {
    from: 'cells',
    columns,
    join: ' ',
    split: undefined,
    part: undefined,
    values: undefined,
    formats: formatsOf(context.formats),
    type: undefined,
    time: undefined,
    default: undefined,
    identifier: undefined,
    prefix: '',
    addDays: undefined,
    less: undefined,
    nameForm: { order: 'givenFirst', single: 'family' },
    notAfter: name === 'dob' ? context.today : undefined,
    rows: undefined,
  }
  if (given === undefined) return none
  const { map, schema } = given
  const { reader } = context
  const entry = (key: string) => map.entries.get(key)
  const separator = (key: string) => {
    const value = reader.scalar(entry(key), key)
    return value === undefined || value === null ? undefined : String(value)
  }
  const part = readPart(reader, map)
  if (part !== undefined && schema.items !== undefined) {
    reader.problem(map.at, `${name} is a list, so split cuts its cell into all of its values, without part`)
  }
  const fallback = entry('default')
  const value = fallback && amount(plain(fallback.value), schema)
  if (fallback !== undefined && value !== undefined) checked(reader, fallback.value.at, name, schema, value)
  return {
    ...none,
    join: separator('join') ?? ' ',
    split: separator('split') ?? (part === undefined ? undefined : ' '),
    part,
    values: readValues(reader, map, name, schema),
    formats: formatsOf(readFormats(reader, map, context.formats)),
    type: reader.word(entry('type'), 'type', ['text', 'number', 'boolean', 'date']),
    time: readTimeOfDay(reader, map),
    default: value,
    identifier: reader.word(entry('identifier'), 'identifier', ['hash', 'text']),
    prefix: separator('prefix') ?? '',
    addDays: readAddDays(reader, map, name, schema),
    less: readLess(reader, map, name, schema),
    nameForm: {
      order: reader.word(entry('order'), 'order', NAME_ORDERS) ?? none.nameForm.order,
      single: reader.word(entry('single'), 'single', SINGLE_NAMES) ?? none.nameForm.single,
    },
    rows: readRows(reader, map, name, schema),
  }
}

function readPart(reader: TreeReader, map: MapNode): Part | undefined {
  const entry = map.entries.get('part')
  const value = reader.scalar(entry, 'part')
  if (entry === undefined || value === undefined) return undefined
  const word = PARTS.find((known) => known === value)
  if (word !== undefined) return word
  if (typeof value === 'number' && Number.isInteger(value) && value >= 1 && value <= PART_MAX) return value
  return reader.problem(
    entry.value.at,
    `part is "${shown(String(value))}"; expected a number from 1, or one of ${PARTS.join(', ')}`,
  )
}

function readAddDays(
  reader: TreeReader,
  map: MapNode,
  name: string,
  schema: Schema,
): ColumnRef | number | undefined {
  const entry = map.entries.get('addDays')
  const given = reader.scalar(entry, 'addDays')
  if (entry === undefined || given === undefined) return undefined
  const { at } = entry.value
  if (schema.form !== 'moment' && schema.form !== 'date') {
    return reader.problem(at, `addDays goes with a date, and ${name} is none`)
  }
  if (typeof given === 'number') {
    if (Number.isInteger(given) && given >= 0 && given <= DAYS_MAX) return given
    return reader.problem(
      at,
      `addDays is ${given}; expected a whole number from 0 to ${DAYS_MAX}, or a column`,
    )
  }
  const column = reader.text(entry, 'addDays')
  return column === undefined ? undefined : { name: column, at }
}

function readLess(reader: TreeReader, map: MapNode, name: string, schema: Schema): number | undefined {
  const entry = map.entries.get('less')
  const given = reader.scalar(entry, 'less')
  if (entry === undefined || given === undefined) return undefined
  const { at } = entry.value
  if (schema.type !== 'integer')
    return reader.problem(at, `less goes with a whole number, and ${name} is none`)
  if (typeof given === 'number' && Number.isInteger(given) && given > 0) return given
  return reader.problem(at, `less is "${shown(String(given))}"; expected a whole number from 1`)
}

function readRows(reader: TreeReader, map: MapNode, name: string, schema: Schema): Rows | undefined {
  const entry = map.entries.get('rows')
  const rows = reader.word(entry, 'rows', ROWS)
  if (rows !== 'sum' || [schema.type ?? []].flat().includes('number')) return rows
  return reader.problem(
    map.at,
    `${name} is not a number, so its rows cannot be added up; expected first or last`,
  )
}

function readValues(
  reader: TreeReader,
  map: MapNode,
  name: string,
  schema: Schema,
): Map<string, Json> | undefined {
  const entry = map.entries.get('values')
  const words = entry && reader.map(entry.value, 'values')
  if (words === undefined) return undefined
  const values = new Map<string, Json>()
  for (const [word, { at, value }] of words.entries) {
    const result = plain(value)
    if (values.has(foldWord(word)))
      reader.problem(at, `"${shown(word)}" is given twice, in capitals and without`)
    if (checked(reader, value.at, name, schema.items ?? schema, result)) values.set(foldWord(word), result)
  }
  return values
}

function readTimeOfDay(reader: TreeReader, map: MapNode): string | undefined {
  const entry = map.entries.get('time')
  const given = reader.text(entry, 'time')
  if (entry === undefined || given === undefined) return undefined
  const formats = ['HH:mm', 'HH:mm:ss'].map(timeFormat).filter((format) => format !== undefined)
  const time = readTime(given, formats)
  return time ?? reader.problem(entry.value.at, `time is "${shown(given)}"; expected one such as "15:00"`)
}
