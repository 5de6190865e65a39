/** A person of whom everything that can be held is held, and nothing of whom may be left. */
import {
  booking,
  customer,
  guest,
  metaField,
  order,
  session,
  spa,
  type TestRecord,
} from '../../support/world.ts'

export const PERSON = 'person-zq41'

/** Each is in no other text of the tests. */
export const MARKS = {
  firstName: 'Quirina',
  lastName: 'Zwiebelhuber',
  email: 'quirina.zw@example.com',
  phone: '+40 722 918 273',
  secondaryPhone: '+40 722 918 274',
  pin: '2840229417731',
  internalId: 'INT-77120-Q',
  street: 'Strada Zimbrului 419',
  religion: 'Zwinglian',
  diagnosis: 'Zygomycosis of the left wrist',
  observation: 'walks with a Zambezi cane',
  diet: 'no zucchini at all',
  note: 'prefers the Zephyr room',
  payment: 'paid by her aunt Zoraida',
  billing: 'Zeppelinstrasse 12',
} as const

/** What any of them would be found by. */
export const NEEDLES: readonly string[] = [...Object.values(MARKS), PERSON, '1984-02-29']

const items = [
  { itemId: 'package', name: 'Complete', quantity: 1, price: 900 },
  { itemId: 'room', name: `Room of ${MARKS.firstName} ${MARKS.lastName}`, quantity: 1, price: 334.56 },
]

export const person = (): TestRecord[] => [
  spa({ mealRules: { dietFields: [{ field: 'diet' }] } }),
  session('s-1', '2025-01-01', '2025-01-31'),
  metaField('diet', { of: 'booking' }),
  metaField('aunt'),
  customer(PERSON, {
    version: 3,
    firstName: MARKS.firstName,
    lastName: MARKS.lastName,
    email: MARKS.email,
    phone: MARKS.phone,
    secondaryPhone: MARKS.secondaryPhone,
    pin: MARKS.pin,
    internalId: MARKS.internalId,
    dob: '1984-02-29',
    gender: 'female',
    religion: MARKS.religion,
    address: { street: MARKS.street, city: 'Cluj' },
    meta: { aunt: MARKS.payment },
  }),
  order('o-own', {
    totalAmount: 1234.56,
    orderDate: '2015-01-05T12:00',
    billingAddress: { street: MARKS.billing, city: 'Berlin' },
    notes: MARKS.note,
    items,
  }),
  order('o-shared', {
    totalAmount: 500,
    orderDate: '2015-01-06T12:00',
    billingAddress: { street: 'Strada Mare 1' },
    notes: `with ${MARKS.firstName}`,
  }),
  booking('b-1', {
    version: 3,
    customerId: PERSON,
    sessionIds: ['s-1'],
    startDate: '2025-01-05T14:00',
    endDate: '2025-01-15T10:00',
    orderUuid: 'o-own',
    isOrderMainGuest: true,
    formData: { medicalConditions: MARKS.diagnosis, observations: MARKS.observation },
    medicalLetter: { diagnoses: MARKS.diagnosis },
    medicalData: { notes: MARKS.observation },
    financial: { deposit: { amount: 100, notes: MARKS.payment } },
    skippingMeals: { lunch: ['2025-01-10'] },
    meta: { diet: MARKS.diet },
  }),
  booking('b-2', {
    customerId: PERSON,
    orderUuid: 'o-shared',
    startDate: '2024-01-05T14:00',
    endDate: '2024-01-08T10:00',
  }),
  ...guest('b-3', { orderUuid: 'o-shared', isOrderMainGuest: true, sessionIds: ['s-1'] }),
]
