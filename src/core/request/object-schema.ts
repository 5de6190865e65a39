/**
 * The JSON Schema of an object. All properties are always present except the optional ones, which a request must ask
 * for.
 */
export const object = (properties: Record<string, unknown>, optional: readonly string[] = []) => ({
  type: 'object',
  properties,
  required: Object.keys(properties).filter((name) => !optional.includes(name)),
})
