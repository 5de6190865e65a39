import { recordFields } from '../../records/intake-fields.ts'
import { ORDER } from '../../records/order.ts'
import { keptFields } from './kept-fields.ts'
import type { Kind } from './kind.ts'

/** An order with its items and payment. Bookings may belong to it. */
export const order = {
  name: 'order',
  table: 'orders',
  key: [{ field: 'uuid', column: 'uuid' }],
  ...keptFields(recordFields(ORDER.fields), ['uuid'], [], { billingAddress: 'Billing address.' }),
} as const satisfies Kind
