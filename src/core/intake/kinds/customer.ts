import { CUSTOMER_RECORD } from '../../records/fields/record-fields.ts'
import type { Kind } from './kind.ts'
import { storedFields } from './stored-fields.ts'

/** A person who is or was a guest. */
export const customer = {
  name: 'customer',
  table: 'customers',
  key: [{ field: 'id', column: 'id' }],
  ...storedFields(CUSTOMER_RECORD, ['id'], ['id']),
  // A person may have a single name (ruling 42).
  atLeastOne: {
    fields: ['firstName', 'lastName'],
    says: { key: 'needsName' },
  },
} as const satisfies Kind
