/** The JSON Schema of `GET /fields`. */
import { SCOPES } from '../../access/keys/scopes.ts'
import { flag, list, object, oneOf, orNull, text, textOrNull } from '../../request/object-schema.ts'

const TYPE = oneOf(['string', 'number', 'integer', 'boolean', 'array', 'object'])

const FIELD = object({
  name: text('the name in `project`; dots for nesting'),
  label: text(
    'a heading for people, in the language of the answer; for a custom field, the label of the center',
  ),
  group: text('the group of the documentation'),
  description: text('what the field contains, in English'),
  scope: oneOf(SCOPES, 'the scope that the field needs, besides `guests`'),
  readable: flag('whether your key may read the field'),
  custom: flag('whether the center defined the field itself'),
  type: { ...TYPE, description: 'JSON type of the value; any field may be null' },
  example: { description: 'a value as people see it, in English; null for a custom field without one' },
  raw: orNull(
    object({
      type: TYPE,
      format: textOrNull('`date` or `date-time`, or null'),
      example: { description: 'a raw value' },
    }),
    'the raw value in `ids`, under the same path; null if there is none',
  ),
  values: {
    type: ['array', 'null'],
    description: 'all raw values of an enumeration with their labels; null for other fields',
    items: object({
      value: text('the raw value'),
      label: text('its label, in the language of the answer'),
    }),
  },
})

export const FIELD_LIST_SCHEMA = object({
  data: list('in the order of the documentation; custom fields last', FIELD),
})
