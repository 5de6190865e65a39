/** `GET /fields`: every field of a guest that can be projected, the center's own included. */

import { fieldLabel } from '../../locale/field-labels.ts'
import { labelOf } from '../../locale/labels.ts'
import type { Language } from '../../locale/languages.ts'
import type { Center } from '../../records/centers/center.ts'
import type { GuestField } from '../../records/fields/field.ts'
import { GUEST_FIELDS } from '../../records/fields/guest-fields.ts'
import { defineOperation, type KeyFacts } from '../../request/operation.ts'
import { META_PREFIX, metaFieldsOf } from '../guests/projection.ts'
import { isReadUnderPseudonyms } from '../guests/under-pseudonyms.ts'
import { FIELD_LIST_SCHEMA } from './field-schema.ts'
import { planOfFacts } from './plan-of-facts.ts'

export const listFields = defineOperation({
  name: 'listFields',
  summary: 'List the fields of guests',
  description:
    'Every field that `project` of `GET /guests` takes, including custom fields of the center: its label, its type, its scope, and whether your key may read it.',
  paths: ['/fields'],
  scope: 'any',
  dependsOn: ['key', 'pseudonyms', 'language'],
  parameters: {},
  response: FIELD_LIST_SCHEMA,

  parse: ({ center, key, pseudonyms, language, query }) =>
    planOfFacts(query, () => ({ data: fieldsFor(center, key, pseudonyms !== null, language) })),
})

function fieldsFor(
  center: Center,
  { scopes, customFields }: KeyFacts,
  isUnderPseudonyms: boolean,
  language: Language,
) {
  const isGiven = (name: string) =>
    name.startsWith(META_PREFIX) && customFields.includes(name.slice(META_PREFIX.length))
  return [...GUEST_FIELDS, ...metaFieldsOf(center)].map((field) => ({
    name: field.name,
    label: fieldLabel(field.name, language) ?? field.description.replace(/\.$/, ''),
    group: field.group,
    description: field.description,
    scope: field.scope,
    readable: isUnderPseudonyms
      ? isReadUnderPseudonyms(field)
      : scopes.includes('guests') && (scopes.includes(field.scope) || isGiven(field.name)),
    custom: field.name.startsWith(META_PREFIX),
    type: typeOf(field.schema),
    example: field.example,
    raw:
      field.raw === undefined
        ? null
        : {
            type: typeOf(field.raw.schema),
            format: field.raw.schema.format ?? null,
            example: field.raw.example,
          },
    values: valuesOf(field, language),
  }))
}

const typeOf = ({ type }: GuestField['schema']) => [type].flat()[0]

/** Of an enumeration, each raw value with its label. */
function valuesOf({ raw, labels }: GuestField, language: Language) {
  const values = raw?.schema.enum
  if (labels === undefined || !Array.isArray(values)) return null
  return values.map((value: string) => ({ value, label: labelOf(language, labels, value) }))
}
