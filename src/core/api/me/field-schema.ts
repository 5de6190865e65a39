/** The JSON Schema of `GET /fields`. */
import { SCOPES } from '../../access/keys/scopes.ts'
import { object } from '../../request/object-schema.ts'

const STRING = { type: 'string' }
const TYPE = { type: 'string', enum: ['string', 'number', 'integer', 'boolean', 'array', 'object'] }

const FIELD = object({
  name: { ...STRING, description: 'the name in `project`; dots for nesting' },
  label: {
    ...STRING,
    description:
      'a heading for people, in the language of the answer; for a custom field, the label of the center',
  },
  group: { ...STRING, description: 'the group of the documentation' },
  description: { ...STRING, description: 'what the field contains, in English' },
  scope: { type: 'string', enum: SCOPES, description: 'the scope that the field needs, besides `guests`' },
  readable: { type: 'boolean', description: 'whether your key may read the field' },
  custom: { type: 'boolean', description: 'whether the center defined the field itself' },
  type: { ...TYPE, description: 'JSON type of the value; any field may be null' },
  example: { description: 'a value as people see it, in English; null for a custom field without one' },
  raw: {
    ...object({
      type: TYPE,
      format: { type: ['string', 'null'], description: '`date` or `date-time`, or null' },
      example: { description: 'a raw value' },
    }),
    type: ['object', 'null'],
    description: 'the raw value in `ids`, under the same path; null if there is none',
  },
  values: {
    type: ['array', 'null'],
    description: 'all raw values of an enumeration with their labels; null for other fields',
    items: object({
      value: { ...STRING, description: 'the raw value' },
      label: { ...STRING, description: 'its label, in the language of the answer' },
    }),
  },
})

export const FIELD_LIST_SCHEMA = object({
  data: { type: 'array', description: 'in the order of the documentation; custom fields last', items: FIELD },
})
