/** The JSON Schema of an object whose properties are always there. */
export const object = (properties: Record<string, unknown>) => ({
  type: 'object',
  properties,
  required: Object.keys(properties),
})
