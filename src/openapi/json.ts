/** A JSON object of the document; its keys keep the order in which they read well. */
export type JsonObject = { [name: string]: unknown }

/** A deep copy without what JSON has no form for. */
export function copyOf(value: unknown): JsonObject {
  // What JSON.parse gives is unknown until it is read; an object's copy is an object.
  return JSON.parse(JSON.stringify(value)) as JsonObject
}

export const reference = (kind: string, name: string) => ({ $ref: `#/components/${kind}/${name}` })
