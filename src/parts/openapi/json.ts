/** A JSON object of the document. Its keys keep their order, for readers. */
export type JsonObject = { [name: string]: unknown }

/** A deep copy without values that JSON cannot represent. */
export function copyOf(value: unknown): JsonObject {
  // JSON.parse returns an unknown type; the copy of an object is an object.
  return JSON.parse(JSON.stringify(value)) as JsonObject
}

export const reference = (kind: string, name: string) => ({ $ref: `#/components/${kind}/${name}` })
