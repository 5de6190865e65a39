import Type from 'typebox'
import { MEALS } from '../../fields/meals.ts'
import { BOOKING_STATUSES, ROLES } from '../../fields/statuses.ts'
import {
  amount,
  filledText,
  flag,
  identifier,
  label,
  list,
  localDate,
  longText,
  metaValues,
  moment,
  number,
  oneOf,
  text,
  uniqueList,
} from '../../fields/values.ts'
import { checkInterval, type Json, type JsonObject, type Kind } from './kind.ts'

const { Optional } = Type

const payment = (description: string) =>
  Optional(
    Type.Object(
      {
        amount: Optional(amount('Amount.')),
        notes: Optional(longText('Notes.')),
        paidAt: Optional(moment('When it was paid.')),
        paymentType: Optional(text('A term of the set `paymentType`, or plain text.')),
      },
      { description },
    ),
  )

const skipped = (meal: string) =>
  Optional(list(`Days without ${meal}; kept sorted, each once.`, localDate('Day.'), 10_000))

const FORM_FIELDS = ['medicalConditions', 'observations', 'mobility'] as const
const ACCOMMODATION_FIELDS = ['roomId', 'bedType', 'type', 'roomStandardId', 'roomSize', 'floor'] as const
const MEDICAL_FIELDS = [
  'medicalLetter',
  'medicalData',
  'idealWeight',
  'idealCirc',
  'weight1',
  'weight2',
  'height',
  'bmi1',
  'bmi2',
] as const

/** One stay of one customer: what the interface calls a guest. */
export const booking = {
  name: 'booking',
  table: 'bookings',
  key: [{ field: 'id', column: 'id' }],
  schema: Type.Object({
    id: identifier('Identifier of the booking.'),
    customerId: identifier('Whose booking it is.'),
    role: oneOf('Role of the guest.', [...ROLES]),
    status: oneOf('Status of the booking.', [...BOOKING_STATUSES]),
    startDate: moment('Begin of the stay.'),
    endDate: moment('End of the stay.'),
    sessionIds: Optional(
      uniqueList('Sessions attended; the first is the main one.', identifier('Session.'), 100),
    ),
    bookingId: Optional(filledText('Booking identifier for people, where one is set by hand.')),
    bookedAt: Optional(moment('When it was booked.')),
    createdBy: Optional(text('Who entered it.')),
    programId: Optional(text('A term of the set `program`, or plain text.')),
    packageId: Optional(text('A term of the set `package`, or plain text.')),
    orderUuid: Optional(identifier('The order it belongs to.')),
    isOrderMainGuest: Optional(flag('Whether this is the main guest of the order.')),
    acc: Optional(
      Type.Object(
        {
          roomId: Optional(text('A term of the set `room`, or plain text.')),
          bedType: Optional(text('A term of the set `bedType`, or plain text.')),
          type: Optional(text('A term of the set `accommodationType`, or plain text.')),
          roomStandardId: Optional(text('A term of the set `roomStandard`, or plain text.')),
          roomSize: Optional(label('Size of the room.')),
          floor: Optional(label('Floor.')),
        },
        { description: 'Accommodation.' },
      ),
    ),
    formData: Optional(
      Type.Object(
        {
          accommodationDetails: Optional(longText('Wishes for the accommodation.')),
          medicalConditions: Optional(longText('Medical conditions.')),
          observations: Optional(longText('Observations.')),
          mobility: Optional(longText('Mobility.')),
        },
        { description: 'What the guest wrote in the form.' },
      ),
    ),
    financial: Optional(
      Type.Object(
        {
          subtotal: Optional(amount('Amount before discounts.')),
          total: Optional(amount('Amount to pay.')),
          discountIds: Optional(list('Terms of the set `discount`, or plain text.', text('Discount.'), 100)),
          deposit: payment('Deposit.'),
          fullPayment: payment('Full payment.'),
        },
        { description: 'Money.' },
      ),
    ),
    medicalLetter: Optional(
      Type.Object(
        {
          ultrasoundNotes: Optional(longText('Notes on the ultrasound.')),
          ultrasoundStr: Optional(longText('Ultrasound findings.')),
          psychiatricExam: Optional(longText('Psychiatric examination.')),
          diagnoses: Optional(longText('Diagnoses.')),
          customRec: Optional(longText('Recommendations in own words.')),
          ekg: Optional(longText('Electrocardiogram.')),
          recommendationsIds: Optional(
            list('Terms of the set `recommendation`, or plain text.', text('Recommendation.'), 100),
          ),
        },
        { description: 'Medical letter.' },
      ),
    ),
    medicalData: Optional(
      Type.Object({ notes: Optional(longText('Medical notes.')) }, { description: 'Medical data.' }),
    ),
    doctorName: Optional(text('Name of the doctor.')),
    therapistName: Optional(text('Name of the therapist.')),
    idealWeight: Optional(number('Ideal weight in kg.')),
    idealCirc: Optional(number('Ideal circumference in cm.')),
    weight1: Optional(number('Weight on arrival in kg.')),
    weight2: Optional(number('Weight on departure in kg.')),
    height: Optional(number('Height in cm.')),
    bmi1: Optional(number('Body mass index on arrival.')),
    bmi2: Optional(number('Body mass index on departure.')),
    skippingMeals: Optional(
      Type.Object(
        { breakfast: skipped('breakfast'), lunch: skipped('lunch'), dinner: skipped('dinner') },
        { description: 'Meals the guest does not take.' },
      ),
    ),
    meta: Optional(metaValues('Custom fields of bookings.')),
  }),
  columns: [
    { name: 'customer_id', type: 'text', field: 'customerId' },
    { name: 'role', type: 'text', field: 'role' },
    { name: 'status', type: 'text', field: 'status' },
    { name: 'start_date', type: 'timestamptz', field: 'startDate' },
    { name: 'end_date', type: 'timestamptz', field: 'endDate' },
    { name: 'session_ids', type: 'text[]', field: 'sessionIds', empty: [] },
    { name: 'booking_id', type: 'text', field: 'bookingId' },
    { name: 'booked_at', type: 'timestamptz', field: 'bookedAt' },
    { name: 'created_by', type: 'text', field: 'createdBy' },
    { name: 'program_id', type: 'text', field: 'programId' },
    { name: 'package_id', type: 'text', field: 'packageId' },
    { name: 'order_uuid', type: 'text', field: 'orderUuid' },
    { name: 'is_order_main_guest', type: 'boolean', field: 'isOrderMainGuest' },
    { name: 'doctor_name', type: 'text', field: 'doctorName' },
    { name: 'therapist_name', type: 'text', field: 'therapistName' },
    { name: 'skipping_meals', type: 'jsonb', field: 'skippingMeals' },
    { name: 'accommodation', type: 'jsonb' },
    { name: 'form', type: 'jsonb' },
    { name: 'medical', type: 'jsonb' },
    { name: 'financial', type: 'jsonb', field: 'financial' },
    { name: 'meta', type: 'jsonb', field: 'meta' },
  ],
  // The long tail is kept by sensitivity, not as the record groups it: acc.* stands with the wishes for it,
  // the rest of the form apart, and the measurements with the doctors' findings.
  toRow(record, row) {
    const form = groupOf(record, 'formData', ['accommodationDetails', ...FORM_FIELDS])
    const accommodation = {
      ...groupOf(record, 'acc', ACCOMMODATION_FIELDS),
      ...pick(form, ['accommodationDetails']),
    }
    put(row, 'accommodation', accommodation)
    put(row, 'form', pick(form, FORM_FIELDS))
    put(row, 'medical', pick(record, MEDICAL_FIELDS))
  },
  tidy(row) {
    const skips = (row.skipping_meals ?? {}) as JsonObject
    row.skipping_meals = Object.fromEntries(
      MEALS.map((meal) => [meal, [...new Set((skips[meal] ?? []) as string[])].sort()]),
    )
  },
  check: checkInterval,
} as const satisfies Kind

/** The group as a merge patch; null for the whole of it clears each of its fields. */
function groupOf(record: JsonObject, group: string, fields: readonly string[]): JsonObject {
  const value = record[group]
  if (value === null) return Object.fromEntries(fields.map((field) => [field, null]))
  return value === undefined ? {} : (value as JsonObject)
}

function pick(from: JsonObject, fields: readonly string[]): JsonObject {
  const picked: JsonObject = {}
  for (const field of fields) {
    const value: Json | undefined = from[field]
    if (value !== undefined) picked[field] = value
  }
  return picked
}

function put(row: JsonObject, column: string, group: JsonObject): void {
  if (Object.keys(group).length > 0) row[column] = group
}
