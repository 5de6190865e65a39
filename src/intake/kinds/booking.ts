import { MEALS } from '../../fields/meals.ts'
import { BOOKING_RECORD } from '../../fields/record-fields.ts'
import { keptFields } from './kept-fields.ts'
import { checkInterval, type JsonObject, type Kind } from './kind.ts'

/** One stay of one customer: what the interface calls a guest. */
export const booking = {
  name: 'booking',
  table: 'bookings',
  key: [{ field: 'id', column: 'id' }],
  ...keptFields(
    BOOKING_RECORD,
    ['id'],
    ['id', 'customerId', 'role', 'status', 'startDate', 'endDate', 'sessionIds'],
  ),
  tidy(row) {
    const skips = (row.skipping_meals ?? {}) as JsonObject
    row.skipping_meals = Object.fromEntries(
      MEALS.map((meal) => [meal, [...new Set((skips[meal] ?? []) as string[])].sort()]),
    )
  },
  check: checkInterval,
} as const satisfies Kind
