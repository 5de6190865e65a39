import Type from 'typebox'
import { identifier, integer } from '../../records/fields/values.ts'
import type { Kind } from './kind.ts'

/** The last number that a session has given to a booking, even if that booking has been removed. */
export const bookingCounter = {
  name: 'bookingCounter',
  table: 'booking_counters',
  key: [{ field: 'sessionId', column: 'session_id' }],
  schema: Type.Object({
    sessionId: identifier('The session.'),
    lastNumber: integer(
      'Highest number that was assigned; a number lower than the stored one changes nothing.',
      0,
      2 ** 31 - 1,
    ),
  }),
  columns: [{ name: 'last_number', type: 'integer', field: 'lastNumber' }],
  // A number is never assigned twice (ruling 39), whatever is imported and when.
  isPermanent: true,
  settle(before, after) {
    after.last_number = Math.max(Number(before?.last_number ?? 0), Number(after.last_number))
  },
} as const satisfies Kind
