/**
 * Records that contradict each other, one of each kind that a front desk meets: a person who is two customers, stays that
 * overlap, a deposit that is recorded twice, and so on. Their identifiers begin with `conflict-`.
 */
import { addDays, moment } from './calendar.ts'
import { demoTimeZone } from './centers.ts'
import { DEMO_CENTER_ID, type IntakeRecord } from './record.ts'

export const CONFLICT_ORDER_UUID = 'b7c2d9e4-51f6-4a08-93be-6f7d20c4a815'

const own = { centerId: DEMO_CENTER_ID }

/** Days from today. */
type Span = readonly [firstDay: number, lastDay: number]

/** The records. Except for one guest who has left early, the stays are after those of the other guests. */
export function* conflictRecords(today: string): Iterable<IntakeRecord> {
  const at = (days: number, time: string) => moment(addDays(today, days), time, demoTimeZone)
  const customer = (number: number, firstName: string, lastName: string, more: object = {}) => ({
    kind: 'customer',
    ...own,
    id: `conflict-customer-${number}`,
    firstName,
    lastName,
    ...more,
  })
  const booking = (number: number, customerNumber: number, [firstDay, lastDay]: Span, more: object) => ({
    kind: 'booking',
    ...own,
    id: `conflict-booking-${number}`,
    customerId: `conflict-customer-${customerNumber}`,
    role: 'guest',
    status: 'confirmed',
    startDate: at(firstDay, '15:30'),
    endDate: at(lastDay, '10:30'),
    ...more,
  })

  // One person who was written down twice.
  yield customer(1, 'Margareta', 'Cumpănașu', { dob: '1961-04-09', email: 'margareta@example.com' })
  yield customer(2, 'Margaretha', 'Cumpanasu', { dob: '1961-04-09' })
  yield booking(1, 1, [85, 91], { status: 'registered' })
  yield booking(2, 2, [100, 104], { status: 'registeredOnline' })

  // Stays that overlap, with one deposit in both, in an order that does not add up.
  const deposit = { amount: 600, paidAt: at(-4, '11:20'), paymentType: 'payment-card' }
  yield customer(3, 'Tiberiu', 'Zăgan')
  const ofOrder = { orderUuid: CONFLICT_ORDER_UUID, financial: { deposit } }
  yield booking(3, 3, [70, 76], { ...ofOrder, isOrderMainGuest: true })
  yield booking(4, 3, [74, 79], ofOrder)
  yield {
    kind: 'order',
    ...own,
    uuid: CONFLICT_ORDER_UUID,
    number: `${addDays(today, -5).slice(0, 4)}-90001`,
    orderDate: at(-5, '16:40'),
    totalAmount: 4250,
    status: 'confirmed',
    paymentStatus: 'partially_paid',
    items: [{ itemId: 'package-essential', name: 'Essential', quantity: 1, price: 4200 }],
  }

  // Three people in a room with two beds.
  for (const [index, firstName] of ['Oana', 'Petru', 'Zamfira'].entries()) {
    yield customer(4 + index, firstName, 'Ursache-Boldea')
    yield booking(5 + index, 4 + index, [70, 73], { acc: { roomId: 'room-302' } })
  }

  // A stay that was moved out of its session, which runs from the 36th day to the 45th.
  yield customer(7, 'Solveig', 'Tindvåg')
  yield booking(8, 7, [70, 74], { sessionIds: ['session-12'] })

  // A guest who has departed, with rooms and meals until the day that was planned.
  yield customer(8, 'Rupert', 'Ashgrove-Lyle')
  yield booking(9, 8, [-2, 3], { status: 'departed' })
}
