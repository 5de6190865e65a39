/**
 * The JSON Schema of an object. Every property is always there but those named, which come only where the request asks
 * for them.
 */
export const object = (properties: Record<string, unknown>, optional: readonly string[] = []) => ({
  type: 'object',
  properties,
  required: Object.keys(properties).filter((name) => !optional.includes(name)),
})
