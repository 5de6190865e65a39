import Type from 'typebox'
import { hash } from '../../records/fields/values.ts'
import type { Kind } from './kind.ts'

/**
 * A booking identifier that a booking had and has no more: it is never given again (ruling 39). In hashes, because a person
 * may have typed a name, and an erasure must find none.
 */
export const freedBookingId = {
  name: 'freedBookingId',
  table: 'booking_ids_of_before',
  key: [
    { field: 'identifierHash', column: 'booking_id', type: 'hash' },
    { field: 'bookingHash', column: 'booking', type: 'hash' },
  ],
  schema: Type.Object({
    identifierHash: hash('SHA-256 of the booking identifier.'),
    bookingHash: hash('SHA-256 of the `id` of the booking that had it.'),
  }),
  columns: [],
  isPermanent: true,
} as const satisfies Kind
