/** Checks values strictly against the schemas of the OpenAPI document. */
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormatsModule from 'ajv-formats'

// The package's types describe its CommonJS form, whose default export is one level deeper.
const addFormats = addFormatsModule as unknown as typeof addFormatsModule.default

/**
 * @param document an OpenAPI document
 * @returns a function that lists what is wrong with a value by one of the schemas. An object may only have the
 * properties that its schema describes: a field that is returned but not documented is an error.
 */
export function schemaChecker(document: unknown): (schemaName: string, value: unknown) => string[] {
  const ajv = new Ajv2020({ strict: false, allErrors: true })
  addFormats(ajv)
  ajv.addSchema({ ...(closed(document) as object), $id: 'document' })
  return (schemaName, value) => {
    const validate = ajv.getSchema(`document#/components/schemas/${schemaName}`)
    if (validate === undefined) return [`there is no schema ${schemaName}`]
    if (validate(value) === true) return []
    return (validate.errors ?? []).map(
      ({ instancePath, message, params }) => `${instancePath} ${message} ${JSON.stringify(params)}`,
    )
  }
}

/** Forbids additional properties in every object that does not allow them explicitly. */
function closed(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(closed)
  if (typeof schema !== 'object' || schema === null) return schema
  const copy = Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, closed(value)]))
  const isObjectSchema = 'properties' in copy && !('additionalProperties' in copy)
  return isObjectSchema ? { ...copy, additionalProperties: false } : copy
}
