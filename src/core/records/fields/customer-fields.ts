/** The fields of the customer: who the guest is. */
import { upperCase } from '../../locale/amounts.ts'
import { ageOn, birthdayDuringStay } from '../../locale/dates.ts'
import { fullName } from '../../locale/names.ts'
import { localDateOf } from '../../locale/zones.ts'
import { bookingEnd, bookingStart } from './booking-fields.ts'
import { field, type GuestField, guests, personal } from './field.ts'
import { asIs, dayDate, labelled, named } from './shown.ts'
import { customer } from './source.ts'
import { BOOLEAN, STRING, value } from './value-kinds.ts'

// Every customer has at least one of the two (ruling 42).
const firstName = customer.column('first_name', value.filledText)
const lastName = customer.column('last_name', value.filledText)
const dob = customer.column('dob', value.personalDay)

const names: readonly GuestField[] = [
  asIs('firstName', firstName, {
    ...guests('Basic personal', 'First name; null for a person with a single name that is the last name.'),
    example: 'Ioana',
  }),
  asIs('lastName', lastName, {
    ...guests('Basic personal', 'Last name; null for a person with a single name that is the first name.'),
    example: 'Popescu',
  }),
  field('name', {
    ...guests(
      'Basic personal',
      'Full name: first name, space, last name; of a person with a single name, that name.',
    ),
    schema: STRING,
    example: 'Ioana Popescu',
    isAlwaysThere: true,
    sources: [firstName, lastName],
    show: (_, first, last) => fullName(first, last),
  }),
  field('firstNameCaps', {
    ...guests('Basic personal', 'First name in capitals, by the rules of the center’s own language.'),
    schema: STRING,
    example: 'IOANA',
    sources: [firstName],
    show: ({ center }, first) => (first === null ? null : upperCase(center.language, first)),
  }),
  field('lastNameCaps', {
    ...guests('Basic personal', 'Last name in capitals, by the rules of the center’s own language.'),
    schema: STRING,
    example: 'POPESCU',
    sources: [lastName],
    show: ({ center }, last) => (last === null ? null : upperCase(center.language, last)),
  }),
  asIs('pin', customer.column('pin', value.label), {
    ...personal('Basic personal', 'National identification number.'),
    example: '2800115123456',
  }),
  asIs('internalId', customer.column('internal_id', value.label), {
    ...personal('Basic personal', 'The center’s internal number of the customer.'),
    example: 'C-1042',
  }),
]

const contact: readonly GuestField[] = [
  asIs('email', customer.column('email', value.text), {
    ...guests('Contact', 'E-mail address.'),
    example: 'ioana@example.com',
  }),
  asIs('phone', customer.column('phone', value.label), {
    ...guests('Contact', 'Phone number.'),
    example: '+40 700 000 000',
  }),
  asIs('secondaryPhone', customer.column('secondary_phone', value.label), {
    ...guests('Contact', 'Second phone number.'),
    example: '+40 700 000 001',
  }),
]

const details: readonly GuestField[] = [
  dayDate('dob', dob, personal('Personal details', 'Date of birth.')),
  field('age', {
    ...personal('Personal details', 'Age in whole years on the center’s current day.'),
    schema: { type: 'integer' },
    example: 45,
    sources: [dob],
    show: ({ today }, born) => (born === null ? null : (ageOn(born, today) ?? null)),
  }),
  labelled('gender', customer.column('gender', value.text), 'gender', {
    ...personal('Personal details', 'Gender.'),
    example: ['Female', 'female'],
  }),
  named('religion', customer.column('religion', value.term('religion')), {
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
    sources: [dob, bookingStart, bookingEnd],
    show: ({ center }, born, start, end) =>
      born === null
        ? null
        : birthdayDuringStay(born, localDateOf(center.timezone, start), localDateOf(center.timezone, end)),
  }),
]

const address: readonly GuestField[] = [
  asIs('address.street', customer.json('address', 'street', value.text), {
    ...personal('Address', 'Street and number.'),
    example: 'Strada Lungă 1',
  }),
  asIs('address.city', customer.json('address', 'city', value.text), {
    ...personal('Address', 'City.'),
    example: 'Brașov',
  }),
  asIs('address.zip', customer.json('address', 'zip', value.label), {
    ...personal('Address', 'Postal code.'),
    example: '500001',
  }),
  asIs('address.country', customer.json('address', 'country', value.text), {
    ...personal('Address', 'Country.'),
    example: 'Romania',
  }),
  asIs('address.notes', customer.json('address', 'notes', value.longText), {
    ...personal('Address', 'Notes on the address.'),
    example: 'Second floor',
  }),
]

export const customerFields: readonly GuestField[] = [
  ...names,
  ...contact,
  ...details,
  ...address,
  named('referralType', customer.column('referral_type', value.term('referralType')), {
    ...personal('Referral', 'How the guest was referred.'),
    example: ['Recommended by a friend', 'friend'],
  }),
]
