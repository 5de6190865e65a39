/**
 * A session of January 2025 that is the same whatever today is: what the documentation shows of it is what
 * anybody gets who runs the demo.
 */
import { moment } from './calendar.ts'
import { demoTimeZone } from './centers.ts'
import { DEMO_CENTER_ID, type IntakeRecord } from './record.ts'

export const ARCHIVED_SESSION_ID = 'session-2025-01'
export const ARCHIVED_ORDER_UUID = '3b1f8a54-6c0d-4e7a-9d52-81f0c4a7e2b6'

const own = { centerId: DEMO_CENTER_ID }
const at = (day: string, time: string) => moment(day, time, demoTimeZone)

const popescu = { street: 'Strada Lungă 1', city: 'Brașov', zip: '500001', country: 'Romania' }

/** The session, its two orders and its four guests. */
export const archivedRecords: readonly IntakeRecord[] = [
  {
    kind: 'session',
    ...own,
    id: ARCHIVED_SESSION_ID,
    name: 'White Winter',
    number: 'W1',
    text: 'Ten days with daily treatments and a final talk.',
    programIds: ['program-restore', 'program-rest'],
    unitIds: ['unit-spring'],
    startDate: at('2025-01-15', '15:00'),
    endDate: at('2025-01-24', '11:00'),
  },
  {
    kind: 'order',
    ...own,
    uuid: ARCHIVED_ORDER_UUID,
    number: '2025-W-1',
    orderDate: at('2025-01-03', '10:00'),
    totalAmount: 3099.98,
    currency: 'EUR',
    status: 'completed',
    paymentMethod: 'credit_card',
    paymentStatus: 'paid',
    billingAddress: popescu,
    items: [
      { itemId: 'package-complete', name: 'Complete', quantity: 1, price: 1850 },
      { itemId: 'package-companion', name: 'Companion', quantity: 1, price: 1200 },
      { itemId: 'extra-tea', name: 'Herbal tea box', quantity: 2, price: 24.99 },
    ],
    createdAt: at('2025-01-03', '10:00'),
    updatedAt: at('2025-01-24', '10:30'),
  },
  {
    kind: 'order',
    ...own,
    uuid: '9c84d7e1-0f3b-4a26-8e15-6d2b90c5f374',
    number: '2025-W-2',
    orderDate: at('2025-01-07', '16:20'),
    totalAmount: 4200,
    status: 'completed',
    paymentMethod: 'bank_transfer',
    paymentStatus: 'paid',
    items: [{ itemId: 'package-essential', name: 'Essential', quantity: 1, price: 4200 }],
    createdAt: at('2025-01-07', '16:20'),
    updatedAt: at('2025-01-12', '09:15'),
  },
  ...guest('1', {
    customer: {
      firstName: 'Ioana',
      lastName: 'Popescu',
      email: 'ioana@example.com',
      phone: '+40 000 000 101',
      internalId: 'C-1042',
      dob: '1980-01-20',
      gender: 'female',
      address: popescu,
    },
    booking: {
      role: 'patient',
      bookingId: '25-W-01',
      programId: 'program-restore',
      packageId: 'package-complete',
      orderUuid: ARCHIVED_ORDER_UUID,
      isOrderMainGuest: true,
      skippingMeals: { breakfast: ['2025-01-16'], lunch: [], dinner: [] },
      formData: { mobility: 'Walks with a stick' },
    },
  }),
  ...guest('2', {
    customer: { firstName: 'Mihai', lastName: 'Popescu', email: 'mihai@example.com', address: popescu },
    booking: {
      role: 'companion',
      packageId: 'package-companion',
      orderUuid: ARCHIVED_ORDER_UUID,
      skippingMeals: { breakfast: ['2025-01-16'], lunch: [], dinner: [] },
    },
  }),
  ...guest('3', {
    customer: { firstName: 'Ingrid', lastName: 'Solberg', email: 'ingrid@example.com' },
    booking: {
      role: 'patient',
      programId: 'program-rest',
      packageId: 'package-essential',
      orderUuid: '9c84d7e1-0f3b-4a26-8e15-6d2b90c5f374',
      isOrderMainGuest: true,
    },
  }),
  ...guest('4', {
    customer: { firstName: 'Edward', lastName: 'Finch' },
    booking: { role: 'guest' },
  }),
]

/** A customer and their booking: the whole of the session, departed. */
function guest(
  number: string,
  { customer, booking }: { customer: object; booking: object },
): readonly IntakeRecord[] {
  const customerId = `customer-2025-${number}`
  return [
    { kind: 'customer', ...own, id: customerId, ...customer },
    {
      kind: 'booking',
      ...own,
      id: `booking-2025-${number}`,
      customerId,
      status: 'departed',
      startDate: at('2025-01-15', '15:00'),
      endDate: at('2025-01-24', '11:00'),
      sessionIds: [ARCHIVED_SESSION_ID],
      ...booking,
    },
  ]
}
