/** What a booking refers to: three kinds of record, of which it names one, one and several. */
import type { KindName } from './kinds/kind.ts'

export interface BookingReference {
  /** the booking's field, and its column */
  readonly field: string
  readonly column: 'customer_id' | 'order_uuid' | 'session_ids'
  /** whether the column is a list */
  readonly isList: boolean
  /** the records it names, their table and the column that identifies them */
  readonly kind: KindName
  readonly table: string
  readonly key: string
}

export const BOOKING_REFERENCES: readonly BookingReference[] = [
  {
    field: 'customerId',
    column: 'customer_id',
    isList: false,
    kind: 'customer',
    table: 'customers',
    key: 'id',
  },
  { field: 'orderUuid', column: 'order_uuid', isList: false, kind: 'order', table: 'orders', key: 'uuid' },
  { field: 'sessionIds', column: 'session_ids', isList: true, kind: 'session', table: 'sessions', key: 'id' },
]
