/** The schemas of records as plain JSON Schema, made from the schemas that check them. */
import { LINE_SCHEMAS, type Schema } from '../../core/intake/lines/line-schemas.ts'
import { SNAPSHOT_KINDS, type SnapshotKind } from '../../core/intake/stage/snapshot.ts'
import { inEnglish } from '../../core/locale/said.ts'
import { type JsonObject, reference } from './json.ts'

/** By name: each kind of record, the removal of each, and `Record`, which is any of these. */
export const recordSchemas = (): JsonObject => ({
  ...Object.fromEntries(
    SNAPSHOT_KINDS.map((kind) => [recordName(kind), jsonSchema(LINE_SCHEMAS[kind].record.schema)]),
  ),
  Removal: removal(),
  Record: {
    description: 'One line of a body.',
    anyOf: [...SNAPSHOT_KINDS.map(recordName), 'Removal'].map((name) => reference('schemas', name)),
  },
})

/** The JSON Schema keywords that the kinds use; the schemas' other properties are for the import. */
const KEYWORDS = [
  'type',
  'enum',
  'description',
  'pattern',
  'minimum',
  'maximum',
  'minLength',
  'maxLength',
  'additionalProperties',
  'required',
]

function jsonSchema(schema: Schema): JsonObject {
  const { description, expects, properties, patternProperties, items } = schema
  const shown = Object.entries(schema).filter(([name]) => KEYWORDS.includes(name))
  const each = (schemas: Readonly<Record<string, Schema>>) =>
    Object.fromEntries(Object.entries(schemas).map(([name, child]) => [name, jsonSchema(child)]))
  const text = [description, expects && `Takes ${inEnglish(expects)}.`]
    .filter((text) => text !== undefined)
    .join(' ')
  return {
    ...Object.fromEntries(shown),
    ...(text === '' ? {} : { description: text }),
    ...(properties && { properties: each(properties) }),
    ...(patternProperties && { patternProperties: each(patternProperties) }),
    ...(items && { items: jsonSchema(items) }),
  }
}

const recordName = (kind: SnapshotKind) => `${kind[0]?.toUpperCase()}${kind.slice(1)}Record`

function removal(): JsonObject {
  const all = SNAPSHOT_KINDS.map((kind) => jsonSchema(LINE_SCHEMAS[kind].removal.schema).properties)
  return {
    type: 'object',
    description: 'Removes a record. It is named as its kind is.',
    properties: { ...Object.assign({}, ...all), kind: { type: 'string', enum: SNAPSHOT_KINDS } },
    required: ['kind', 'deleted'],
    additionalProperties: false,
  }
}
