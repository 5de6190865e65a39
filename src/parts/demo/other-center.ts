import { addDays, moment } from './calendar.ts'
import { otherCenter, otherTimeZone } from './centers.ts'
import { createNames, mailbox } from './names.ts'
import { createRandom } from './random.ts'
import { type IntakeRecord, OTHER_CENTER_ID } from './record.ts'

/** Nine to a session, so three full orders each. */
const bookingCount = 27
const guestsPerOrder = 3

/** Sessions by their first day from today: one over, one running, one to come. */
const sessionStarts = [-16, -3, 12] as const
const statuses = ['departed', 'arrived', 'confirmed'] as const

/**
 * All records of the second center. It must never be shown: its days, statuses and meals fit the same
 * questions as the demo center's, while every name and identifier shows at a glance where it belongs.
 */
export function* otherCenterRecords(today: string, seed: number): Iterable<IntakeRecord> {
  const random = createRandom(seed, 'other center')
  const names = createNames(random)
  const own = { centerId: OTHER_CENTER_ID }

  yield otherCenter
  yield {
    kind: 'term',
    ...own,
    set: 'program',
    id: 'nord-program',
    name: 'Nordlyskur',
    names: { en: 'Aurora cure' },
  }
  yield { kind: 'term', ...own, set: 'package', id: 'nord-package', name: 'Vinterro' }
  yield {
    kind: 'metaField',
    ...own,
    key: 'nordSkiSize',
    label: 'Skistørrelse',
    type: 'number',
    of: 'customer',
  }

  for (const [index, start] of sessionStarts.entries()) {
    yield {
      kind: 'session',
      ...own,
      id: `nord-session-${index + 1}`,
      name: `Nordlys ${index + 1}`,
      number: `N${index + 1}`,
      startDate: moment(addDays(today, start), '16:00', otherTimeZone),
      endDate: moment(addDays(today, start + 8), '10:00', otherTimeZone),
      programIds: ['nord-program'],
    }
  }

  for (let index = 0; index < bookingCount; index += 1) {
    const number = String(index + 1).padStart(3, '0')
    const part = index % sessionStarts.length
    const start = sessionStarts[part]!
    const { firstName, lastName } = names.ofOther()
    yield {
      kind: 'customer',
      ...own,
      id: `nord-customer-${number}`,
      firstName,
      lastName,
      email: `${mailbox(firstName, lastName)}@nordlyset.example.net`,
      phone: `+47 00 00 1${number[0]} ${number.slice(1)}`,
      meta: { nordSkiSize: random.whole(160, 200) },
    }
    yield {
      kind: 'booking',
      ...own,
      id: `nord-booking-${number}`,
      customerId: `nord-customer-${number}`,
      role: index % 4 === 3 ? 'companion' : 'patient',
      status: statuses[part],
      startDate: moment(addDays(today, start), '16:00', otherTimeZone),
      endDate: moment(addDays(today, start + 8), '10:00', otherTimeZone),
      sessionIds: [`nord-session-${part + 1}`],
      programId: 'nord-program',
      packageId: 'nord-package',
      // Every third guest in a row belongs to the same session, and so to the same order.
      orderUuid: orderId(part, Math.floor(index / (sessionStarts.length * guestsPerOrder))),
      isOrderMainGuest: Math.floor(index / sessionStarts.length) % guestsPerOrder === 0,
      skippingMeals: { breakfast: [], lunch: [addDays(today, start + 3)], dinner: [] },
    }
  }

  const ordersPerSession = bookingCount / (sessionStarts.length * guestsPerOrder)
  for (const [part, start] of sessionStarts.entries()) {
    for (let index = 0; index < ordersPerSession; index += 1) {
      const price = random.whole(90, 180) * 100
      yield {
        kind: 'order',
        ...own,
        uuid: orderId(part, index),
        number: `NORD-${part + 1}${index + 1}`,
        orderDate: moment(addDays(today, start - 30), '12:00', otherTimeZone),
        totalAmount: price * guestsPerOrder,
        status: 'confirmed',
        paymentMethod: 'vipps',
        paymentStatus: 'paid',
        items: [{ itemId: 'nord-package', name: 'Vinterro', quantity: guestsPerOrder, price }],
      }
    }
  }
}

function orderId(part: number, index: number): string {
  return `0000000${part + 1}-0000-4000-8000-00000000000${index + 1}`
}
