/** The references of a booking: to one customer, one order and several sessions. */
import type { QuestionKey } from '../../locale/said.ts'
import type { KindName } from '../kinds/kind.ts'

export interface BookingReference {
  /** the booking's field and its column */
  readonly field: string
  readonly column: 'customer_id' | 'order_uuid' | 'session_ids'
  /** whether the column is a list */
  readonly isList: boolean
  /** the records referred to: their kind, table and identifying column */
  readonly kind: KindName
  readonly table: string
  readonly key: string
  /** what is said of one that is nowhere, and of one that was refused itself */
  readonly missing: QuestionKey
  readonly refused: QuestionKey
}

export const BOOKING_REFERENCES: readonly BookingReference[] = [
  {
    field: 'customerId',
    column: 'customer_id',
    isList: false,
    kind: 'customer',
    table: 'customers',
    key: 'id',
    missing: 'noSuchCustomer',
    refused: 'refusedCustomer',
  },
  {
    field: 'orderUuid',
    column: 'order_uuid',
    isList: false,
    kind: 'order',
    table: 'orders',
    key: 'uuid',
    missing: 'noSuchOrder',
    refused: 'refusedOrder',
  },
  {
    field: 'sessionIds',
    column: 'session_ids',
    isList: true,
    kind: 'session',
    table: 'sessions',
    key: 'id',
    missing: 'noSuchSession',
    refused: 'refusedSession',
  },
]
