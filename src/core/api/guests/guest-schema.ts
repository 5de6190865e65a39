/** The JSON Schema of `GET /guests`, made from the registry. */
import type { GuestField } from '../../records/fields/field.ts'
import { GUEST_FIELDS } from '../../records/fields/guest-fields.ts'
import type { GuestSource } from '../../records/fields/source.ts'
import { BOOKING_STATUSES, ROLES } from '../../records/fields/statuses.ts'
import type { JsonSchema } from '../../records/fields/value-kinds.ts'

interface ObjectSchema {
  type: 'object'
  description?: string
  properties: Record<string, unknown>
}

const SESSION_ID = { type: 'string', description: 'session identifier' }

export const GUEST_SCHEMA: JsonSchema = {
  ...nested((field) => ({
    ...(hasAlwaysValue(field) ? field.schema : nullable(field.schema)),
    description: field.description,
    examples: [field.example],
  })),
  description: 'One booking of one customer: the projected fields, humanized, and `ids` with raw values.',
  required: ['ids'],
}

function nested(leaf: (field: GuestField) => unknown): ObjectSchema {
  const root: ObjectSchema = { type: 'object', properties: {} }
  for (const field of GUEST_FIELDS) place(root, field.path, leaf(field))
  root.properties.meta = {
    type: 'object',
    description: 'custom fields of the center',
    additionalProperties: true,
  }
  root.properties.ids = idsSchema()
  return root
}

function idsSchema(): JsonSchema {
  const ids: ObjectSchema = {
    type: 'object',
    description:
      'Raw values for integrations: `role`, `status` and `sessionId`, and those of the humanized fields that were projected. A key that reads under pseudonyms gets only the latter, although the others are required here.',
    properties: {},
  }
  for (const field of GUEST_FIELDS) {
    if (field.raw !== undefined) {
      const schema = hasAlwaysValue(field) ? field.raw.schema : nullable(field.raw.schema)
      place(ids, field.path, { ...schema, examples: [field.raw.example] })
    }
  }
  ids.properties.role = { type: 'string', enum: ROLES }
  ids.properties.status = { type: 'string', enum: BOOKING_STATUSES }
  ids.properties.sessionId = {
    ...nullable(SESSION_ID),
    description: 'the first session of the booking, whichever was asked for',
  }
  ids.properties.sessionIds = {
    type: 'array',
    items: SESSION_ID,
    description: 'all sessions of the booking; present when there are several',
  }
  ids.properties.meta = { type: 'object', additionalProperties: true }
  // Answers under pseudonyms do not have them. For these keys alone they are not optional in the types of all others.
  return { ...ids, required: ['role', 'status', 'sessionId'] }
}

function place(root: ObjectSchema, path: readonly string[], schema: unknown): void {
  let at = root
  for (const name of path.slice(0, -1)) {
    at.properties[name] ??= { type: 'object', properties: {} }
    at = at.properties[name] as ObjectSchema
  }
  at.properties[path[path.length - 1] ?? ''] = schema
}

/** Whether every guest has a value: the field says so, or is made only of values that each booking and customer has. */
function hasAlwaysValue({ sources, isAlwaysThere }: GuestField): boolean {
  if (isAlwaysThere) return true
  const isThere = (source: GuestSource) =>
    source.from === 'record' &&
    source.required &&
    (source.table === 'bookings' || source.table === 'customers')
  return sources.length > 0 && sources.every(isThere)
}

/** In JSON Schema 2020-12, a list of types that includes null. */
function nullable(schema: JsonSchema): JsonSchema {
  const { type, enum: values, ...rest } = schema
  return {
    ...rest,
    ...(type === undefined ? {} : { type: [type, 'null'].flat() }),
    ...(Array.isArray(values) ? { enum: [...values, null] } : {}),
  }
}

export const GUEST_LIST_SCHEMA: JsonSchema = {
  type: 'object',
  properties: {
    data: { type: 'array', items: GUEST_SCHEMA },
    total: { type: 'integer', description: 'number of records available in all pages' },
  },
  required: ['data', 'total'],
}
