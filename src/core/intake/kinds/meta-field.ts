import Type from 'typebox'
import { identifier, oneOf, text } from '../../records/fields/values.ts'
import type { Kind } from './kind.ts'

export const META_TYPES = ['string', 'number', 'boolean', 'date'] as const
export type MetaType = (typeof META_TYPES)[number]

/** A custom field that the center defines for its customers or its bookings. */
export const metaField = {
  name: 'metaField',
  table: 'meta_fields',
  key: [{ field: 'key', column: 'key' }],
  schema: Type.Object({
    key: identifier('Key of the custom field; it is read as `meta.<key>`.'),
    label: Type.Optional(text('Label for people.')),
    type: oneOf('Type of its values.', [...META_TYPES]),
    of: oneOf('Kind of record that has it.', ['customer', 'booking']),
  }),
  columns: [
    { name: 'label', type: 'text', field: 'label' },
    { name: 'type', type: 'text', field: 'type' },
    { name: 'owner', type: 'text', field: 'of' },
  ],
} as const satisfies Kind
