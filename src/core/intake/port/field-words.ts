/** How a page writes the fields of records and their values, in the reader's language. */
import { labelsOf } from '../../locale/labels.ts'
import type { Language } from '../../locale/languages.ts'
import { recordLabel } from '../../locale/record-labels.ts'
import type { Field } from '../../records/fields/field.ts'
import { GUEST_FIELDS } from '../../records/fields/guest-fields.ts'
import { MEALS } from '../../records/fields/meals.ts'
import { ORDER } from '../../records/order.ts'
import { SESSION } from '../../records/session.ts'

interface FieldWords {
  readonly label: string
  /** labels of raw values */
  readonly values?: Readonly<Record<string, string>>
  readonly isAmount?: true
}

type Words = Readonly<Record<string, FieldWords>>

const KIND_OF_TABLE: Readonly<Record<string, string>> = { customers: 'customer', bookings: 'booking' }

/** By kind and name in records, such as `booking.startDate`; fields without a name for people are left out. */
export const fieldsFor = (language: Language): Words => ({
  ...Object.assign(
    {},
    ...GUEST_FIELDS.map((field) => wordsOf(KIND_OF_TABLE[field.stored?.table ?? ''] ?? '', field, language)),
    ...ORDER.fields.map((field) => wordsOf('order', field, language)),
    ...SESSION.fields.map((field) => wordsOf('session', field, language)),
  ),
  ...Object.fromEntries(
    ['customer.id', ...MEALS.map((meal) => `booking.skippingMeals.${meal}`)].flatMap((name) => {
      const label = recordLabel(name.slice(name.indexOf('.') + 1), language)
      return label === undefined ? [] : [[name, { label }] as const]
    }),
  ),
})

function wordsOf(kind: string, field: Field, language: Language, list = ''): Words {
  const { name, recordName, labels, raw, schema, items = [] } = field
  const path = `${list}${recordName ?? name}`
  const label = recordLabel(path, language)
  const words: FieldWords | undefined =
    label === undefined
      ? undefined
      : {
          label,
          ...(labels !== undefined && { values: labelsOf(language, labels) }),
          // Only amounts are shown as texts and are numbers in records.
          ...(raw?.schema.type === 'number' && schema.type === 'string' && { isAmount: true }),
        }
  return Object.assign(
    words === undefined ? {} : { [`${kind}.${path}`]: words },
    ...items.map((item) => wordsOf(kind, item, language, `${path}.`)),
  )
}

export interface CustomFieldRow extends Record<string, unknown> {
  readonly of: string
  readonly key: string
  readonly label: string
}

/** As the center calls them. */
export const customFieldsOf = (rows: readonly CustomFieldRow[]): Words =>
  Object.fromEntries(rows.map(({ of, key, label }) => [`${of}.meta.${key}`, { label }]))
