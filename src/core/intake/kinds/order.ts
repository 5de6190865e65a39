import { recordFields } from '../../records/intake-fields.ts'
import { ORDER } from '../../records/order.ts'
import type { Kind } from './kind.ts'
import { storedFields } from './stored-fields.ts'

/** An order with its items and payment. Bookings may belong to it. */
export const order = {
  name: 'order',
  table: 'orders',
  key: [{ field: 'uuid', column: 'uuid' }],
  ...storedFields(recordFields(ORDER.fields), ['uuid'], [], { billingAddress: 'Billing address.' }),
} as const satisfies Kind
