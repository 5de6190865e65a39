import { createAddress } from './addresses.ts'
import { addDays, earliest, moment, momentInUtc } from './calendar.ts'
import { demoTimeZone } from './centers.ts'
import { type PricedStay, toCents } from './money.ts'
import { createDeck, createRandom, type Random } from './random.ts'
import { DEMO_CENTER_ID, type IntakeRecord } from './record.ts'
import type { BookingStatus, Reservation } from './reservations.ts'
import { termName } from './terms.ts'

/** Identifier of an order of today's session with three guests; the same for every seed and day. */
export const EXAMPLE_ORDER_UUID = '7d3f1c52-8a4e-4b6f-9c21-0e5a6b7c8d90'

/** Identifiers in another system's form, taken over with the orders they belong to. */
export const OPAQUE_ORDER_IDS: readonly string[] = [
  'order_123456',
  'order_123457',
  'order_204118',
  'WEB:2024-0042',
]

/** The order a reservation belongs to. */
export type OrderDraft = { uuid: string; number: string; example: boolean }

type Item = { itemId: string; name: string; quantity: number; price: number }

/** Order and payment status that go with the booking status of the reservation. */
const statusesOf: Record<BookingStatus, [status: string, paymentStatus: string]> = {
  departed: ['completed', 'paid'],
  paid: ['confirmed', 'paid'],
  arrived: ['confirmed', 'partially_paid'],
  confirmed: ['confirmed', 'partially_paid'],
  registered: ['pending', 'unpaid'],
  registeredOnline: ['processing', 'pending'],
  waitingList: ['on_hold', 'unpaid'],
  review: ['on_hold', 'unpaid'],
  offer: ['draft', 'unpaid'],
  cancelled: ['cancelled', 'refunded'],
  voided: ['refunded', 'refunded'],
}

const extras = [
  { itemId: 'extra-massage', name: 'Massage, 50 minutes', price: 240 },
  { itemId: 'extra-transfer', name: 'Airport transfer', price: 185.5 },
  { itemId: 'extra-tea', name: 'Herbal tea box', price: 49.99 },
  { itemId: 'extra-salt-room', name: 'Salt room, one hour', price: 75 },
]
const notes = [
  'Invoice to the company',
  'Late arrival, keep dinner',
  'Plătit parțial în avans',
  'Gave a voucher as well',
]

/** What one unit of the center's currency is worth in the others, for orders from abroad. */
const rates = { RON: 1, EUR: 0.2, NOK: 2.3 }
type Currency = keyof typeof rates

/** Decides which reservations have an order, and its identifier and number. */
export function draftOrders(
  reservations: readonly Reservation[],
  seed: number,
): Map<Reservation, OrderDraft> {
  const random = createRandom(seed, 'orders')
  const opaque = [...OPAQUE_ORDER_IDS]
  const drafts = new Map<Reservation, OrderDraft>()
  for (const reservation of reservations) {
    const uuid = random.uuid()
    // About one reservation in seven was booked at the desk and has none.
    if (random.chance(0.14) && !reservation.stays[0]?.complete) continue
    const foreign =
      reservation.phase === 'past' && !reservation.stays[0]?.complete ? opaque.shift() : undefined
    const number = `${reservation.bookedDay.slice(0, 4)}-${String(drafts.size + 1).padStart(5, '0')}`
    drafts.set(reservation, {
      uuid: reservation.example ? EXAMPLE_ORDER_UUID : (foreign ?? uuid),
      number,
      example: reservation.example,
    })
  }
  return drafts
}

/** The orders as records, and two vouchers without a guest. */
export function* orderRecords(
  priced: Map<Reservation, PricedStay[]>,
  drafts: Map<Reservation, OrderDraft>,
  today: string,
  seed: number,
): Iterable<IntakeRecord> {
  const random = createRandom(seed, 'order records')
  const drawAbroad = createDeck<Currency>(random, { RON: 6, EUR: 2, NOK: 1 })
  const drawMethod = createDeck(random, {
    credit_card: 4,
    bank_transfer: 4,
    cash: 2,
    payment_link: 2,
    voucher: 1,
  })
  const drawDetail = createDeck(random, { full: 6, plain: 1 })

  for (const [reservation, draft] of drafts) {
    const origin = reservation.stays[0]!.guest.origin
    const currency = origin === 'ro' ? 'RON' : drawAbroad()
    const items = itemsOf(priced.get(reservation) ?? [], currency, random)
    const [status, paymentStatus] = statusesOf[reservation.status]
    const orderDate = moment(
      reservation.bookedDay,
      `${random.whole(10, 18)}:${random.whole(10, 59)}`,
      demoTimeZone,
    )
    const changedDay = earliest(addDays(reservation.bookedDay, random.whole(1, 40)), addDays(today, -1))
    const full = drawDetail() === 'full' || draft.example
    yield {
      kind: 'order',
      centerId: DEMO_CENTER_ID,
      uuid: draft.uuid,
      orderDate,
      totalAmount: toCents(items.reduce((sum, item) => sum + item.quantity * item.price, 0)),
      ...(currency !== 'RON' && { currency }),
      status,
      items,
      ...(full && {
        number: draft.number,
        paymentMethod: drawMethod(),
        // The example's guests have settled everything on arrival, as their bookings say.
        paymentStatus: draft.example ? 'paid' : paymentStatus,
        ...((draft.example || random.chance(0.8)) && { billingAddress: createAddress(origin, random) }),
        ...((draft.example || random.chance(0.3)) && { notes: random.pick(notes) }),
        createdAt: orderDate,
        updatedAt: momentInUtc(changedDay, '19:05', demoTimeZone),
      }),
    }
  }
  yield* vouchers(today, random)
}

/** One item for each package and price, then now and then an extra. */
function itemsOf(stays: readonly PricedStay[], currency: Currency, random: Random): Item[] {
  const items: Item[] = []
  const put = (item: Item) => {
    const same = items.find(({ itemId, price }) => itemId === item.itemId && price === item.price)
    if (same) same.quantity += item.quantity
    else items.push(item)
  }
  const inCurrency = (amount: number) => toCents(amount * rates[currency])
  for (const { price } of stays) {
    put({
      itemId: price.packageId,
      name: termName('package', price.packageId),
      quantity: 1,
      price: inCurrency(price.total),
    })
  }
  for (const extra of random.some(extras, random.chance(0.5) ? random.whole(1, 2) : 0)) {
    put({ ...extra, quantity: random.whole(1, 3), price: inCurrency(extra.price) })
  }
  return items
}

function* vouchers(today: string, random: Random): Iterable<IntakeRecord> {
  for (const [daysAgo, amount] of [
    [3, 500],
    [48, 1200],
  ] as const) {
    yield {
      kind: 'order',
      centerId: DEMO_CENTER_ID,
      uuid: random.uuid(),
      orderDate: moment(addDays(today, -daysAgo), '12:30', demoTimeZone),
      totalAmount: amount,
      status: 'completed',
      paymentMethod: 'credit_card',
      paymentStatus: 'paid',
      items: [{ itemId: 'gift-voucher', name: 'Gift voucher', quantity: 1, price: amount }],
    }
  }
}
