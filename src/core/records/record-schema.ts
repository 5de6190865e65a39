/** The JSON Schemas of a record, made from its table of fields: in a list, in `ids`, and read by itself. */

import { object } from '../request/object-schema.ts'
import type { Field } from './fields/field.ts'
import type { JsonSchema } from './fields/value-kinds.ts'
import { inIds, inLists, requestOfListed } from './record-parts.ts'

/** Of the values that a list shows. */
export const shownSchemas = (fields: readonly Field[]): Record<string, unknown> =>
  nested(fields.filter(inLists), (field) => schemaOf(field, field.schema, shownItems))

/** Of the raw values that `ids` has. */
export const idsSchemas = (fields: readonly Field[]): Record<string, unknown> =>
  nested(fields.filter(inIds), (field) =>
    schemaOf(field, field.raw?.schema ?? field.schema, (items) => object(idsSchemas(items))),
  )

/** Of the values that a record has when it is read by itself. */
export const singleSchemas = (
  fields: readonly Field[],
  groups: Readonly<Record<string, string>> = {},
): Record<string, unknown> =>
  nested(
    fields,
    (field) =>
      schemaOf(field, field.single?.schema ?? field.raw?.schema ?? field.schema, (items) =>
        object(singleSchemas(items)),
      ),
    groups,
  )

/** The fields that an answer has only on request. */
export const requestedFields = (fields: readonly Field[], requestOf = requestOfListed): string[] =>
  fields.filter((field) => requestOf(field) !== undefined).map(({ name }) => name)

const shownItems = (items: readonly Field[]) => object(shownSchemas(items))

function schemaOf(
  field: Field,
  schema: JsonSchema,
  itemsOf: (items: readonly Field[]) => unknown,
): JsonSchema {
  const described = field.items === undefined ? schema : { ...schema, items: itemsOf(field.items) }
  return hasAlwaysValue(field) ? described : nullable(described)
}

/** Whether every record has a value. */
const hasAlwaysValue = ({ isAlwaysThere, sources }: Field): boolean =>
  isAlwaysThere === true || sources.every((source) => source.from === 'record' && source.required)

/** In JSON Schema 2020-12, a list of types that includes null. */
const nullable = (schema: JsonSchema): JsonSchema => ({ ...schema, type: [schema.type, 'null'].flat() })

/** A dotted name is nested (ruling 21). @param groups descriptions of what is nested */
function nested(
  fields: readonly Field[],
  schemaFor: (field: Field) => unknown,
  groups: Readonly<Record<string, string>> = {},
): Record<string, unknown> {
  const schemas: Record<string, unknown> = {}
  for (const [name, held] of Map.groupBy(fields, ({ path }) => path[0] ?? '')) {
    const [field] = held
    if (field?.path.length === 1) schemas[name] = schemaFor(field)
    else {
      const description = groups[name]
      const parts = held.map((part) => ({ ...part, path: part.path.slice(1) }))
      schemas[name] = { ...object(nested(parts, schemaFor)), ...(description && { description }) }
    }
  }
  return schemas
}
