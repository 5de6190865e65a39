import { CUSTOMER_RECORD } from '../../fields/record-fields.ts'
import { keptFields } from './kept-fields.ts'
import type { Kind } from './kind.ts'

/** A person who is or was a guest. */
export const customer = {
  name: 'customer',
  table: 'customers',
  key: [{ field: 'id', column: 'id' }],
  ...keptFields(CUSTOMER_RECORD, ['id'], ['id']),
} as const satisfies Kind
