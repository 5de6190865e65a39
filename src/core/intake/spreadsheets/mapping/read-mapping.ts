/** Reads a mapping in YAML or JSON, and checks it against the fields of records. */
import { didYouMean } from '../../../errors/suggest.ts'
import { InputError } from '../../input-error.ts'
import { KIND_NAMES, type KindName } from '../../kinds/kind.ts'
import { isKindName, KINDS } from '../../kinds.ts'
import { findField, recordSchema } from '../../lines/csv-columns.ts'
import type { Schema } from '../../lines/line-schemas.ts'
import { fieldPaths, shown, unknownField } from '../../rejects/problems.ts'
import { encodingNamed } from '../tables/encodings.ts'
import type { Condition, FieldMapping, Mapping, RecordMapping, Source, TableMapping } from './mapping.ts'
import { answerQuestions, type OpenQuestion, refuseOpen } from './questions.ts'
import { readDiets } from './read-diets.ts'
import { FORMAT_KEYS, type NamedFormats, NO_NAMED_FORMATS, readFormats } from './read-formats.ts'
import { readSource, type SourceContext } from './read-source.ts'
import { TreeReader } from './tree-reader.ts'
import { foldWord } from './words.ts'
import { type MapEntry, type MapNode, readTree, type TreeNode } from './yaml-tree.ts'

const TABLE_KEYS = ['sheet', 'header', 'hiddenRows', 'records', 'diets', 'questions']
export const FILE_KEYS = ['encoding', 'delimiter', 'tables', ...TABLE_KEYS, ...FORMAT_KEYS]
export const RECORD_KEYS = ['kind', 'when', 'collect']

/** Number of problems listed in one message. */
const REPORTED_MAX = 20

export interface ReadMappingOptions {
  /** The current time: nobody is born later. */
  readonly now?: Date
  /** Whether open questions take their first answer, to try a proposal. */
  readonly isTrial?: boolean
}

/**
 * @param name the file's name, for messages
 * @throws {InputError} with the line and column of each problem, or with the questions that are open
 */
export const readMapping = (text: string, name: string, options?: ReadMappingOptions): Mapping =>
  readMappingTree(readTree(text, name), name, options)

/** The same for a text that was parsed, in another thread. */
export function readMappingTree(
  tree: TreeNode,
  name: string,
  { now = new Date(), isTrial = false }: ReadMappingOptions = {},
): Mapping {
  const reader = new TreeReader()
  const given = reader.map(tree, 'a mapping', FILE_KEYS)
  const open: OpenQuestion[] = []
  const answered = (map: MapNode): MapNode => {
    const { answered, open: more } = answerQuestions(reader, map, isTrial)
    open.push(...more)
    return answered
  }
  const root = given && answered(given)
  const today = now.toISOString().slice(0, 10)
  const mapping = root && mappingOf({ reader, today, answered }, root, name)
  if (mapping !== undefined && reader.problems.length === 0) {
    refuseOpen(open, name)
    return mapping
  }
  const more = reader.problems.length - REPORTED_MAX
  throw new InputError(
    [...reader.problems.slice(0, REPORTED_MAX), ...(more > 0 ? [`… and ${more} more`] : [])].join('\n'),
  )
}

interface Reading {
  readonly reader: TreeReader
  readonly today: string
  /** A table's mapping with the answers of its questions. */
  readonly answered: (table: MapNode) => MapNode
}

function mappingOf(reading: Reading, root: MapNode, name: string): Mapping {
  const { reader, answered } = reading
  const formats = readFormats(reader, root, NO_NAMED_FORMATS)
  const tables = root.entries.get('tables')
  if (tables !== undefined && (root.entries.has('records') || tables.value.type !== 'list')) {
    reader.problem(
      tables.at,
      'tables is a list of objects with sheet, header and records, in place of those here',
    )
  }
  return {
    name,
    encoding: readEncoding(reader, root.entries.get('encoding')),
    delimiter: readDelimiter(reader, root.entries.get('delimiter')),
    tables:
      tables === undefined
        ? [tableOf(reading, root, formats)]
        : reader.list(tables).flatMap((node) => {
            const given = reader.map(node, 'a table', [...TABLE_KEYS, ...FORMAT_KEYS])
            const map = given && answered(given)
            return map === undefined ? [] : [tableOf(reading, map, readFormats(reader, map, formats))]
          }),
  }
}

function readEncoding(reader: TreeReader, entry: MapEntry | undefined): string | undefined {
  const given = reader.text(entry, 'encoding')
  if (entry === undefined || given === undefined) return undefined
  return (
    encodingNamed(given) ??
    reader.problem(
      entry.value.at,
      `encoding is "${shown(given)}", which is not known; expected one such as utf-8, windows-1252, iso-8859-1 or cp850`,
    )
  )
}

function readDelimiter(reader: TreeReader, entry: MapEntry | undefined): string | undefined {
  const given = reader.scalar(entry, 'delimiter')
  if (entry === undefined || given === undefined) return undefined
  const text = given === 'tab' ? '\t' : String(given)
  if (text.length === 1 && !/["\r\n\w]/.test(text)) return text
  return reader.problem(entry.value.at, 'delimiter must be one character such as ";" or ",", or the word tab')
}

function tableOf(reading: Reading, node: MapNode, formats: NamedFormats): TableMapping {
  const { reader } = reading
  const sheet = reader.scalar(node.entries.get('sheet'), 'sheet')
  const header = reader.scalar(node.entries.get('header'), 'header') ?? 1
  const at = node.entries.get('header')?.value.at ?? node.at
  const isRow = typeof header === 'number' && Number.isInteger(header) && header >= 0 && header <= 1000
  if (!isRow) {
    reader.problem(at, 'header must be the number of a row from 1 to 1000, or 0 if there is none')
  }
  const records = recordsOf(reading, node, formats)
  return {
    sheet: typeof sheet === 'number' || typeof sheet === 'string' ? sheet : undefined,
    header: isRow ? header : 1,
    leavesHiddenOut:
      reader.word(node.entries.get('hiddenRows'), 'hiddenRows', ['import', 'leave out']) === 'leave out',
    records,
    diets: readDiets(reader, node.entries.get('diets'), records),
  }
}

/** `records` is an object by kind, or a list of objects that name their kind. */
function recordsOf({ reader, today }: Reading, node: MapNode, formats: NamedFormats): RecordMapping[] {
  const entry = node.entries.get('records')
  if (entry === undefined) return reader.problem(node.at, 'records is missing: what each row becomes') ?? []
  const given: { kind: KindName; map: MapNode }[] = []
  const take = (kind: string | undefined, at: string, value: TreeNode) => {
    if (kind === undefined) return
    const map = reader.map(value, `a record of the kind ${shown(kind)}`)
    if (!isMapped(kind)) {
      const hint = didYouMean(kind, MAPPED_KINDS) || `; expected one of ${MAPPED_KINDS.join(', ')}`
      reader.problem(at, `"${shown(kind)}" is not a kind of record${hint}`)
    } else if (map !== undefined) given.push({ kind, map })
  }
  if (entry.value.type === 'list') {
    for (const item of entry.value.items) {
      const kind = item.type === 'map' ? item.entries.get('kind') : undefined
      if (kind === undefined) reader.problem(item.at, 'a record in a list needs its kind')
      take(reader.text(kind, 'kind'), kind?.value.at ?? item.at, item)
    }
  } else {
    const kinds = reader.map(entry.value, 'records')
    for (const [kind, { at, value }] of kinds?.entries ?? []) take(kind, at, value)
  }
  if (given.length === 0) reader.problem(entry.at, 'records names no kind of record')
  // Identifiers first, because other fields may refer to them with idOf.
  const identifiers = new Map<string, Source>()
  const contextOf = (): SourceContext => ({
    reader,
    formats,
    today,
    idOf: (kind, at) => {
      const source = identifiers.get(kind)
      return source === undefined
        ? reader.problem(
            at,
            `idOf is "${shown(kind)}", and no record of this table has that kind and an identifier`,
          )
        : { source }
    },
    fields: (map, schema, prefix) => fieldsOf(contextOf(), map, schema, prefix, []),
  })
  for (const { kind, map } of given) {
    const key = KINDS[kind].key.at(-1)?.field ?? ''
    const node = map.entries.get(key)
    const schema = recordSchema(kind).properties?.[key] ?? {}
    if (node === undefined || identifiers.has(kind)) continue
    const source = readSource({ ...contextOf(), reader: new TreeReader() }, node.value, key, schema)
    if (source !== undefined) identifiers.set(kind, source)
  }
  return given.map(({ kind, map }) => recordOf(contextOf(), kind, map))
}

const MAPPED_KINDS = KIND_NAMES.filter((kind) => KINDS[kind].only === undefined)
const isMapped = (kind: string): kind is KindName => isKindName(kind) && MAPPED_KINDS.includes(kind)

function recordOf(context: SourceContext, kind: KindName, map: MapNode): RecordMapping {
  const { reader } = context
  const fields = fieldsOf(context, map, recordSchema(kind), '', RECORD_KEYS)
  for (const { field } of KINDS[kind].key) {
    if (!map.entries.has(field)) reader.problem(map.at, `a record of the kind ${kind} needs ${field}`)
  }
  const collects = reader.text(map.entries.get('collect'), 'collect')
  if (collects !== undefined && !fields.some(({ name, source }) => name === collects && isListing(source))) {
    reader.problem(
      map.at,
      `collect is "${shown(collects)}"; expected a field of this record that is given as a list`,
    )
  }
  return {
    kind,
    fields,
    collects,
    when: reader.list(map.entries.get('when')).flatMap((node) => conditionOf(reader, node) ?? []),
  }
}

const isListing = ({ from }: Source) => from === 'entries' || from === 'list'

function fieldsOf(
  context: SourceContext,
  map: MapNode,
  schema: Schema,
  prefix: string,
  reserved: readonly string[],
): FieldMapping[] {
  const { reader } = context
  return [...map.entries].flatMap(([name, { at, value }]): FieldMapping[] => {
    if (reserved.includes(name)) return []
    const found = findField(schema, name)
    if (found === undefined) {
      return reader.problem(at, `"${shown(name)}" ${unknownField(name, fieldPaths(schema)).message}`) ?? []
    }
    if (found.schema.properties !== undefined || (found.schema.patternProperties && !found.schema.items)) {
      const example = `${name}.${Object.keys(found.schema.properties ?? { key: '' })[0]}`
      return reader.problem(at, `"${name}" is a group of fields; name each of them, such as ${example}`) ?? []
    }
    const source = readSource(context, value, `${prefix}${name}`, found.schema)
    return source === undefined ? [] : [{ name: `${prefix}${name}`, ...found, source }]
  })
}

function conditionOf(reader: TreeReader, node: TreeNode): Condition | undefined {
  if (node.type === 'scalar') {
    const name = reader.text({ value: node }, 'the column of when')
    return name === undefined
      ? undefined
      : { columns: [{ name, at: node.at }], is: undefined, not: undefined }
  }
  const map = reader.map(node, 'when', ['column', 'anyOf', 'is', 'not'])
  if (map === undefined) return undefined
  const column = map.entries.get('column') ?? map.entries.get('anyOf')
  if (column === undefined || (map.entries.has('column') && map.entries.has('anyOf'))) {
    return reader.problem(node.at, 'when needs either a column, or anyOf with a list of columns')
  }
  const words = (key: string) => {
    const given = map.entries.get(key)
    if (given === undefined) return undefined
    // An empty word matches an empty cell.
    return new Set(reader.list(given).map((value) => foldWord(String(reader.scalar({ value }, key) ?? ''))))
  }
  const columns = reader.texts(column, 'the column of when').map(({ at, text }) => ({ name: text, at }))
  if (map.entries.get('column')?.value.type === 'list') {
    reader.problem(node.at, 'column of when is a list; use anyOf for several')
  }
  return { columns, is: words('is'), not: words('not') }
}
