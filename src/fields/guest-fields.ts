/**
 * The registry of projectable guest fields: the heart of `GET /guests`. Validation, scopes, the select list,
 * the OpenAPI enumeration and the documentation's table all follow from it; adding a field is adding one
 * entry. Names and groups are the interface's own.
 */

import { columns as column } from '../guests/guest-columns-sql.ts'
import { upperCase } from '../locale/amounts.ts'
import { ageOn, birthdayDuringStay, formatMomentDate, isoMoment } from '../locale/dates.ts'
import { labelOf } from '../locale/labels.ts'
import { fullName } from '../locale/names.ts'
import { localDateOf } from '../locale/zones.ts'
import {
  amount,
  asIs,
  BOOLEAN,
  dayDate,
  field,
  type GuestField,
  jsonMomentDate,
  labelled,
  momentDate,
  NUMBER,
  named,
  STRING,
  STRINGS,
} from './field.ts'
import { MEALS } from './meals.ts'
import { BOOKING_STATUSES, ROLES } from './statuses.ts'

/** Kilograms and centimetres give kg/m², one decimal (ruling 25); a recorded value wins. */
const bmi = (recorded: number | null, weight: number | null, height: number | null) => {
  if (recorded !== null) return recorded
  if (typeof weight !== 'number' || typeof height !== 'number' || height <= 0) return null
  return Math.round((weight / (height / 100) ** 2) * 10) / 10
}

const guests = (group: string, description: string) => ({ scope: 'guests', group, description }) as const
const personal = (group: string, description: string) =>
  ({ scope: 'guests.personal', group, description }) as const
const medical = (group: string, description: string) =>
  ({ scope: 'guests.medical', group, description }) as const
const financial = (description: string) =>
  ({ scope: 'guests.financial', group: 'Financial', description }) as const

const customerFields: GuestField[] = [
  asIs('firstName', column.firstName, { ...guests('Basic personal', 'First name.'), example: 'Ioana' }),
  asIs('lastName', column.lastName, { ...guests('Basic personal', 'Last name.'), example: 'Popescu' }),
  field('name', {
    ...guests('Basic personal', 'Full name: first name, space, last name.'),
    schema: STRING,
    example: 'Ioana Popescu',
    columns: [column.firstName, column.lastName],
    show: (_, first, last) => (first === null || last === null ? null : fullName(first, last)),
  }),
  field('firstNameCaps', {
    ...guests('Basic personal', 'First name in capitals, by the rules of the language.'),
    schema: STRING,
    example: 'IOANA',
    columns: [column.firstName],
    show: ({ language }, first) => (first === null ? null : upperCase(language, first)),
  }),
  field('lastNameCaps', {
    ...guests('Basic personal', 'Last name in capitals, by the rules of the language.'),
    schema: STRING,
    example: 'POPESCU',
    columns: [column.lastName],
    show: ({ language }, last) => (last === null ? null : upperCase(language, last)),
  }),
  asIs('pin', column.pin, {
    ...personal('Basic personal', 'Personal identification number.'),
    example: '2800115123456',
  }),
  asIs('internalId', column.internalId, {
    ...personal('Basic personal', 'The center’s own number of the customer.'),
    example: 'C-1042',
  }),
  asIs('email', column.email, { ...guests('Contact', 'E-mail address.'), example: 'ioana@example.com' }),
  asIs('phone', column.phone, { ...guests('Contact', 'Phone number.'), example: '+40 700 000 000' }),
  asIs('secondaryPhone', column.secondaryPhone, {
    ...guests('Contact', 'Second phone number.'),
    example: '+40 700 000 001',
  }),
  dayDate('dob', column.dob, personal('Personal details', 'Date of birth.')),
  field('age', {
    ...personal('Personal details', 'Age in whole years on the center’s today.'),
    schema: { type: 'integer' },
    example: 45,
    columns: [column.dob],
    show: ({ today }, dob) => (dob === null ? null : (ageOn(dob, today) ?? null)),
  }),
  labelled('gender', column.gender, 'gender', {
    ...personal('Personal details', 'Gender.'),
    example: ['Female', 'female'],
  }),
  named('religion', column.religion, column.religionName, {
    ...personal('Personal details', 'Religion.'),
    example: ['Orthodox', 'orthodox'],
  }),
  field('birthDateDuringStay', {
    ...personal(
      'Personal details',
      'Whether the birthday falls within the stay’s local days; one on 29 February counts on 28 February in other years.',
    ),
    schema: BOOLEAN,
    example: true,
    columns: [column.dob, column.startDate, column.endDate],
    show: ({ center }, dob, start, end) =>
      dob === null
        ? null
        : birthdayDuringStay(dob, localDateOf(center.timezone, start), localDateOf(center.timezone, end)),
  }),
  asIs('address.street', column.addressStreet, {
    ...personal('Address', 'Street and number.'),
    example: 'Strada Lungă 1',
  }),
  asIs('address.city', column.addressCity, { ...personal('Address', 'City.'), example: 'Brașov' }),
  asIs('address.zip', column.addressZip, { ...personal('Address', 'Postal code.'), example: '500001' }),
  asIs('address.country', column.addressCountry, { ...personal('Address', 'Country.'), example: 'Romania' }),
  asIs('address.notes', column.addressNotes, {
    ...personal('Address', 'Notes on the address.'),
    example: 'Second floor',
  }),
  named('referralType', column.referralType, column.referralTypeName, {
    ...personal('Referral', 'How the guest was referred.'),
    example: ['Recommended by a friend', 'friend'],
  }),
]

const bookingFields: GuestField[] = [
  asIs('id', column.id, {
    ...guests('Basic', 'The booking’s own identifier; the report’s guest identifiers are the same.'),
    example: 'booking-1',
  }),
  asIs('bookingId', column.bookingId, {
    ...guests(
      'Basic',
      'The booking identifier that people use, given on arrival where the center has that enabled.',
    ),
    example: '25-07-01',
  }),
  field('centerId', {
    ...guests('Basic', 'The identifier of the center.'),
    schema: STRING,
    example: 'demo',
    columns: [],
    show: ({ center }) => center.id,
  }),
  named('programId', column.programId, column.programName, {
    ...guests('Basic', 'Name of the program.'),
    example: ['Detox', 'detox'],
  }),
  named('packageId', column.packageId, column.packageName, {
    ...guests('Basic', 'Name of the package.'),
    example: ['Full board', 'FB'],
  }),
  momentDate('startDate', column.startDate, guests('Basic', 'First day of the stay.')),
  momentDate('endDate', column.endDate, guests('Basic', 'Last day of the stay.')),
  momentDate('bookedAt', column.bookedAt, guests('Basic', 'Day on which it was booked.')),
  asIs('createdBy', column.createdBy, {
    ...guests('Basic', 'Who or what created the booking.'),
    example: 'reception',
  }),
  labelled('status', column.status, 'status', {
    ...guests('Status and role', 'Status of the booking.'),
    example: ['Confirmed', 'confirmed'],
    rawSchema: { type: 'string', enum: BOOKING_STATUSES },
  }),
  labelled('role', column.role, 'role', {
    ...guests('Status and role', 'Role of the guest.'),
    example: ['Patient', 'patient'],
    rawSchema: { type: 'string', enum: ROLES },
  }),
  asIs('orderUuid', column.orderUuid, {
    ...guests('Order link', 'The order’s own identifier, as `GET /orders` shows it.'),
    example: '7d3f1c52-8a4e-4b6f-9c21-0e5a6b7c8d90',
  }),
  asIs('orderNumber', column.orderNumber, {
    ...guests('Order link', 'Number of the order.'),
    example: '105517',
  }),
  labelled('orderStatus', column.orderStatus, 'orderStatus', {
    ...guests('Order link', 'Status of the order.'),
    example: ['Confirmed', 'confirmed'],
  }),
  field('isOrderMainGuest', {
    ...guests(
      'Order link',
      'Whether this guest is the main guest of the order; `false` where the order has not marked them, `null` without an order.',
    ),
    schema: BOOLEAN,
    example: true,
    columns: [column.isOrderMainGuest, column.orderUuid],
    show: (_, isMain, orderUuid) => isMain ?? (orderUuid === null ? null : false),
  }),
  asIs('formData.accommodationDetails', column.accommodationDetails, {
    ...guests('Accommodation', 'What was asked for.'),
    example: 'Quiet room',
  }),
  named('acc.roomId', column.roomId, column.roomName, {
    ...guests('Accommodation', 'Room.'),
    example: ['Room 12', 'A-12'],
  }),
  named('acc.bedType', column.bedType, column.bedTypeName, {
    ...guests('Accommodation', 'Bed type.'),
    example: ['Double bed', 'double'],
  }),
  named('acc.type', column.accommodationType, column.accommodationTypeName, {
    ...guests('Accommodation', 'Type of accommodation.'),
    example: ['Private', 'private'],
  }),
  named('acc.roomStandardId', column.roomStandardId, column.roomStandardName, {
    ...guests('Accommodation', 'Room standard.'),
    example: ['Superior', 'std-A'],
  }),
  asIs('acc.roomSize', column.roomSize, {
    ...guests('Accommodation', 'Size of the room.'),
    example: '24 m²',
  }),
  asIs('acc.floor', column.floor, { ...guests('Accommodation', 'Floor.'), example: '2' }),
  amount('financial.subtotal', column.subtotal, financial('Amount before discounts.')),
  amount('financial.total', column.total, financial('Amount to pay.')),
  named('financial.discountIds', column.discountIds, column.discountNames, {
    ...financial('Names of the discounts.'),
    schema: STRINGS,
    example: [['Early booking'], ['early']],
  }),
  ...payment('deposit', 'the deposit'),
  ...payment('fullPayment', 'the full payment'),
  asIs('formData.medicalConditions', column.medicalConditions, {
    ...medical('Intake forms', 'Medical conditions as the guest wrote them.'),
    example: 'Mild asthma',
  }),
  asIs('formData.observations', column.observations, {
    ...medical('Intake forms', 'Observations.'),
    example: 'Sleeps lightly',
  }),
  asIs('formData.mobility', column.mobility, {
    ...medical('Intake forms', 'Mobility.'),
    example: 'Walks unaided',
  }),
  ...letter('ultrasoundNotes', column.ultrasoundNotes, 'Notes on the ultrasound.'),
  ...letter('ultrasoundStr', column.ultrasoundStr, 'The ultrasound in words.'),
  ...letter('psychiatricExam', column.psychiatricExam, 'Psychiatric exam.'),
  ...letter('diagnoses', column.diagnoses, 'Diagnoses.'),
  ...letter('customRec', column.customRec, 'Recommendations in the doctor’s own words.'),
  ...letter('ekg', column.ekg, 'Electrocardiogram.'),
  named('medicalLetter.recommendationsIds', column.recommendationsIds, column.recommendationNames, {
    ...medical('Medical documentation', 'Names of the recommendations.'),
    schema: STRINGS,
    example: [['Drink more water'], ['water']],
  }),
  asIs('medicalData.notes', column.medicalNotes, {
    ...medical('Medical documentation', 'Medical notes.'),
    example: 'Check in a week',
  }),
  asIs('doctorName', column.doctorName, {
    ...guests('Staff', 'Name of the doctor.'),
    example: 'Dr. Ana Ionescu',
  }),
  asIs('therapistName', column.therapistName, {
    ...guests('Staff', 'Name of the therapist.'),
    example: 'Mihai Radu',
  }),
  ...measurement('idealWeight', column.idealWeight, 'Ideal weight in kilograms.', 68),
  ...measurement('idealCirc', column.idealCirc, 'Ideal circumference in centimetres.', 80),
  ...measurement('weight1', column.weight1, 'Weight on arrival in kilograms.', 82.5),
  ...measurement('weight2', column.weight2, 'Weight on departure in kilograms.', 80.1),
  ...measurement('height', column.height, 'Height in centimetres.', 172),
  field('bmi1', {
    ...medical(
      'Measurements',
      'Body mass index on arrival in kg/m²; computed, one decimal, where it is not recorded.',
    ),
    schema: NUMBER,
    example: 27.9,
    columns: [column.bmi1, column.weight1, column.height],
    show: (_, recorded, weight, height) => bmi(recorded, weight, height),
  }),
  field('bmi2', {
    ...medical(
      'Measurements',
      'Body mass index on departure in kg/m²; computed, one decimal, where it is not recorded.',
    ),
    schema: NUMBER,
    example: 27.1,
    columns: [column.bmi2, column.weight2, column.height],
    show: (_, recorded, weight, height) => bmi(recorded, weight, height),
  }),
  field('skippingMeals', {
    ...guests('Meals', 'The days on which each meal is skipped; an empty array means none.'),
    schema: {
      type: 'object',
      properties: Object.fromEntries(
        MEALS.map((meal) => [meal, { type: 'array', items: { type: 'string', format: 'date' } }]),
      ),
      required: MEALS,
    },
    example: { breakfast: ['2025-01-16'], lunch: [], dinner: [] },
    columns: [column.skippingMeals],
    // jsonb keeps its keys in an order of its own; these stand in the order of the day, and all of them.
    show: (_, skipped) => ({
      breakfast: skipped?.breakfast ?? [],
      lunch: skipped?.lunch ?? [],
      dinner: skipped?.dinner ?? [],
    }),
  }),
  ...history(
    'sessionsAttendedBefore',
    column.attendedBefore,
    'Sessions of the same customer that ended before this booking begins, in date order',
  ),
  ...history(
    'sessionsRegisteredFuture',
    column.registeredFuture,
    'Sessions of the same customer that begin after this booking ends, in date order',
  ),
  field('sessionInterval', {
    ...guests('Session history', 'Date range of the booking’s main session.'),
    schema: STRING,
    example: '01/15/2025 - 01/25/2025',
    columns: [column.sessionStartDate, column.sessionEndDate],
    show: ({ center, language }, start, end) =>
      start === null || end === null
        ? null
        : `${formatMomentDate(language, center.timezone, start)} - ${formatMomentDate(language, center.timezone, end)}`,
    raw: {
      schema: { type: 'string', description: 'ISO 8601 interval' },
      example: '2025-01-15T08:00:00.000Z/2025-01-25T10:00:00.000Z',
      value: (_, start, end) =>
        start === null || end === null ? null : `${isoMoment(start)}/${isoMoment(end)}`,
    },
  }),
  momentDate(
    'sessionStartDate',
    column.sessionStartDate,
    guests('Session history', 'First day of the main session.'),
  ),
  momentDate(
    'sessionEndDate',
    column.sessionEndDate,
    guests('Session history', 'Last day of the main session.'),
  ),
]

const centerFields: GuestField[] = (
  [
    ['centerName', 'name', 'Name of the center.', 'Izvorul Alb'],
    ['centerAddressLine1', 'addressLine1', 'First line of the center’s address.', 'Strada Izvorului 1'],
    ['centerAddressLine2', 'addressLine2', 'Second line of the center’s address.', 'Romania'],
    ['centerEmail', 'email', 'E-mail address of the center.', 'desk@example.com'],
    ['centerPhone', 'phone', 'Phone number of the center.', '+40 200 000 000'],
  ] as const
).map(([name, key, description, example]) =>
  field(name, {
    ...guests('Center information', description),
    schema: STRING,
    example,
    columns: [],
    show: ({ center }) => center[key],
  }),
)

function payment(part: 'deposit' | 'fullPayment', what: string): GuestField[] {
  const of = column[part]
  return [
    amount(`financial.${part}.amount`, of.amount, financial(`Amount of ${what}.`)),
    asIs(`financial.${part}.notes`, of.notes, { ...financial(`Notes on ${what}.`), example: 'By phone' }),
    jsonMomentDate(`financial.${part}.paidAt`, of.paidAt, financial(`Day on which ${what} was paid.`)),
    field(`financial.${part}.paymentType`, {
      ...financial(`How ${what} was paid.`),
      schema: STRING,
      example: 'Bank transfer',
      columns: [of.paymentType, of.paymentTypeName],
      show: ({ language }, type, name) =>
        name ?? (type === null ? null : labelOf(language, 'paymentMethod', type)),
      raw: { schema: STRING, example: 'bank_transfer', value: (_, type) => type },
    }),
  ]
}

function letter(name: string, from: typeof column.ekg, description: string): GuestField[] {
  return [
    asIs(`medicalLetter.${name}`, from, {
      ...medical('Medical documentation', description),
      example: 'No findings',
    }),
  ]
}

function measurement(
  name: string,
  from: typeof column.height,
  description: string,
  example: number,
): GuestField[] {
  return [asIs(name, from, { ...medical('Measurements', description), schema: NUMBER, example })]
}

function history(name: string, from: typeof column.attendedBefore, description: string): GuestField[] {
  return [
    field(name, {
      ...guests('Session history', `${description}: their names.`),
      schema: STRINGS,
      example: ['Spring 2024', 'Autumn 2024'],
      columns: [from],
      show: (_, sessions) => sessions.map(([, sessionName]) => sessionName),
      raw: {
        schema: STRINGS,
        example: ['s-2024-1', 's-2024-3'],
        value: (_, sessions) => sessions.map(([id]) => id),
      },
    }),
    field(`${name}Count`, {
      ...guests('Session history', `${description}: how many.`),
      schema: { type: 'integer' },
      example: 2,
      columns: [from],
      show: (_, sessions) => sessions.length,
    }),
  ]
}

/** Every projectable field but the custom ones, in the order of the interface's table. */
export const GUEST_FIELDS: readonly GuestField[] = [...customerFields, ...bookingFields, ...centerFields]

/** The fields of an answer without `project` (ruling 20). */
export const DEFAULT_FIELD_NAMES = [
  'firstName',
  'lastName',
  'email',
  'startDate',
  'endDate',
  'status',
  'role',
  'skippingMeals',
] as const

/** Names that stand for all fields below them (ruling 21). */
export const FIELD_GROUPS = ['financial.deposit', 'financial.fullPayment'] as const
