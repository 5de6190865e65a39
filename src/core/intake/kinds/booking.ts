import { checkAccSegments } from '../../records/fields/acc-segments.ts'
import { checkOwnMeals } from '../../records/fields/booking-meals.ts'
import { MEALS } from '../../records/fields/meals.ts'
import { BOOKING_RECORD } from '../../records/fields/record-fields.ts'
import { checkInterval, type JsonObject, type Kind } from './kind.ts'
import { storedFields } from './stored-fields.ts'

const stored = storedFields(
  BOOKING_RECORD,
  ['id'],
  ['id', 'customerId', 'role', 'status', 'startDate', 'endDate', 'sessionIds'],
)

/** A customer's stay: what the interface calls a guest. */
export const booking = {
  name: 'booking',
  table: 'bookings',
  key: [{ field: 'id', column: 'id' }],
  ...stored,
  fromRow(row, record) {
    stored.fromRow(row, record)
    // Otherwise the import would give it an identifier.
    if (row.status === 'arrived' && row.booking_id === undefined) record.bookingNumber = 0
    const skips = Object.entries((row.skipping_meals ?? {}) as JsonObject)
    record.skippingMeals = Object.fromEntries(
      skips.filter(([, days]) => Array.isArray(days) && days.length > 0),
    )
  },
  own: ['booking_id', 'booking_number'],
  tidy(row) {
    const skips = (row.skipping_meals ?? {}) as JsonObject
    row.skipping_meals = Object.fromEntries(
      MEALS.map((meal) => [meal, [...new Set((skips[meal] ?? []) as string[])].sort()]),
    )
  },
  check: (row, zone, given) => [
    ...checkInterval(row, zone, given),
    ...checkOwnMeals(row.meals),
    ...checkAccSegments(row.acc_segments),
  ],
} as const satisfies Kind
