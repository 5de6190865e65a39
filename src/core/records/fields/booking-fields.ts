/** The fields of the booking itself: the stay, its status and role, its order, who looks after the guest, meals. */
import { field, type GuestField, guests, personal } from './field.ts'
import { asIs, labelled, momentDate, named } from './shown.ts'
import { booking, order } from './source.ts'
import { BOOKING_STATUSES, ROLES } from './statuses.ts'
import { BOOLEAN, STRING, value } from './value-kinds.ts'

export const bookingStart = booking.required('start_date', value.moment)
export const bookingEnd = booking.required('end_date', value.moment)
export const bookingStatus = booking.required('status', value.oneOf(BOOKING_STATUSES))
export const bookingRole = booking.required('role', value.oneOf(ROLES))
const bookingCustomer = booking.required('customer_id', value.identifier)
/** The first one is the main session. */
export const bookingSessions = booking.required('session_ids', value.identifiers)
export const bookingProgram = booking.column('program_id', value.term('program'))
const orderUuid = booking.column('order_uuid', value.identifier)
const isMainGuest = booking.column('is_order_main_guest', value.flag)
const skippingMeals = booking.column('skipping_meals', value.skippedMeals)

const basic: readonly GuestField[] = [
  asIs('id', booking.required('id', value.identifier), {
    ...guests('Basic', 'Identifier of the booking; the same as the guest identifiers of the report.'),
    recordDescription: 'Identifier of the booking.',
    example: 'booking-1',
  }),
  field('customerId', {
    ...personal(
      'Basic',
      'Identifier of the customer: the same for all bookings of one person. For a key that reads under pseudonyms, a pseudonym of it.',
    ),
    recordDescription: 'Customer of the booking.',
    schema: STRING,
    example: 'customer-1',
    stored: bookingCustomer,
    sources: [bookingCustomer],
    show: ({ pseudonyms }, id) => (pseudonyms ? pseudonyms.of(id) : id),
  }),
  asIs('bookingId', booking.column('booking_id', value.filledText), {
    ...guests(
      'Basic',
      'The booking identifier that people use, assigned on arrival if the center has enabled this.',
    ),
    recordDescription: 'The booking identifier that people use, if it is set by hand.',
    example: '25-07-01',
  }),
  field('centerId', {
    ...guests('Basic', 'The identifier of the center.'),
    schema: STRING,
    example: 'demo',
    sources: [],
    show: ({ center }) => center.id,
  }),
  named('programId', bookingProgram, {
    ...guests('Basic', 'Name of the program.'),
    recordDescription: 'The program.',
    example: ['Detox', 'detox'],
  }),
  named('packageId', booking.column('package_id', value.term('package')), {
    ...guests('Basic', 'Name of the package.'),
    recordDescription: 'The package.',
    example: ['Full board', 'FB'],
  }),
  momentDate('startDate', bookingStart, {
    ...guests('Basic', 'First day of the stay.'),
    recordDescription: 'Start of the stay.',
  }),
  momentDate('endDate', bookingEnd, {
    ...guests('Basic', 'Last day of the stay.'),
    recordDescription: 'End of the stay.',
  }),
  momentDate('bookedAt', booking.column('booked_at', value.moment), {
    ...guests('Basic', 'Day on which it was booked.'),
    recordDescription: 'When it was booked.',
  }),
  asIs('createdBy', booking.column('created_by', value.text), {
    ...guests('Basic', 'Who or what created the booking.'),
    example: 'reception',
  }),
]

const statusAndRole: readonly GuestField[] = [
  labelled('status', bookingStatus, 'status', {
    ...guests('Status and role', 'Status of the booking.'),
    example: ['Confirmed', 'confirmed'],
  }),
  labelled('role', bookingRole, 'role', {
    ...guests('Status and role', 'Role of the guest.'),
    example: ['Patient', 'patient'],
  }),
]

const orderLink: readonly GuestField[] = [
  asIs('orderUuid', orderUuid, {
    ...guests('Order link', 'Identifier of the order, as in `GET /orders`.'),
    recordDescription: 'The order it belongs to.',
    example: '7d3f1c52-8a4e-4b6f-9c21-0e5a6b7c8d90',
  }),
  asIs('orderNumber', order.column('number', value.label), {
    ...guests('Order link', 'Number of the order.'),
    example: '105517',
  }),
  labelled('orderStatus', order.column('status', value.text), 'orderStatus', {
    ...guests('Order link', 'Status of the order.'),
    example: ['Confirmed', 'confirmed'],
  }),
  field('isOrderMainGuest', {
    ...guests(
      'Order link',
      'Whether this guest is the main guest of the order; `false` if it is not marked, `null` without an order.',
    ),
    recordDescription: 'Whether this guest is the main guest of the order.',
    stored: isMainGuest,
    schema: BOOLEAN,
    example: true,
    sources: [isMainGuest, orderUuid],
    show: (_, isMain, uuid) => isMain ?? (uuid === null ? null : false),
  }),
]

export const bookingFields: readonly GuestField[] = [...basic, ...statusAndRole, ...orderLink]

export const staffFields: readonly GuestField[] = [
  asIs('doctorName', booking.column('doctor_name', value.text), {
    ...guests('Staff', 'Name of the doctor.'),
    example: 'Dr. Ana Ionescu',
  }),
  asIs('therapistName', booking.column('therapist_name', value.text), {
    ...guests('Staff', 'Name of the therapist.'),
    example: 'Mihai Radu',
  }),
]

export const mealFields: readonly GuestField[] = [
  field('skippingMeals', {
    ...guests(
      'Meals',
      'The days on which each meal is skipped, as recorded, also outside of the stay, where the report counts none; an empty array means none.',
    ),
    stored: skippingMeals,
    schema: skippingMeals.kind.json,
    example: { breakfast: ['2025-01-16'], lunch: [], dinner: [] },
    sources: [skippingMeals],
    // jsonb has its own order of keys; here all meals are in the order of the day.
    show: (_, skipped) => ({
      breakfast: skipped?.breakfast ?? [],
      lunch: skipped?.lunch ?? [],
      dinner: skipped?.dinner ?? [],
    }),
  }),
]
