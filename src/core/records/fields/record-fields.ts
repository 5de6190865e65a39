/** The fields of the records of customers and bookings: those of the registry, and those that exist only in records. */
import { bookingSessions } from './booking-fields.ts'
import type { RecordField } from './field.ts'
import { GUEST_FIELDS } from './guest-fields.ts'
import { accSegments, booking, customer, type GuestTable, type Stored } from './source.ts'
import { value } from './value-kinds.ts'

/** In the order of the documentation of the record. */
export const CUSTOMER_RECORD: readonly RecordField[] = [
  only('id', customer.required('id', value.identifier), 'Identifier of the customer.'),
  ...fieldsIn('customers'),
  only('meta', customer.column('meta', value.custom), 'Custom fields of customers.'),
]

export const BOOKING_RECORD: readonly RecordField[] = [
  ...fieldsIn('bookings'),
  {
    ...only('sessionIds', bookingSessions, 'Sessions attended; the first is the main one.'),
    empty: [],
  },
  only(
    'bookingNumber',
    booking.column('booking_number', value.count),
    'The number that an automatic booking identifier has within its session; 0 for a guest who arrived without one. `export` writes it; leave it out otherwise.',
  ),
  only(
    'accSegments',
    accSegments,
    'The rooms of a stay that is in several, in place of `acc`. A day belongs to the last segment that has begun by it, and before any has, to the first. None may overlap another.',
  ),
  only(
    'meals',
    booking.column('meals', value.ownMeals),
    'Days on which the kitchen serves this booking other meals, or more people, than the rules say.',
  ),
  only('meta', booking.column('meta', value.custom), 'Custom fields of bookings.'),
]

function only(name: string, stored: Stored, description: string): RecordField {
  return { name, path: [name], description, stored }
}

function fieldsIn(table: GuestTable): RecordField[] {
  return GUEST_FIELDS.flatMap((field) =>
    field.stored?.table === table ? [{ ...field, stored: field.stored }] : [],
  )
}
