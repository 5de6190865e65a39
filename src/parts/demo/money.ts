import { addDays, earliest, momentInUtc } from './calendar.ts'
import { demoTimeZone } from './centers.ts'
import { createRandom, type Random } from './random.ts'
import type { Reservation, Stay } from './reservations.ts'
import { termIds } from './terms.ts'
import { depositNotes, fullPaymentNotes } from './texts.ts'

/** What a booking costs, in the center's currency. */
export type Price = { packageId: string; subtotal: number; total: number; discountIds: string[] }

const packagePrices: Record<string, number> = {
  'package-essential': 4200,
  'package-complete': 6850.5,
  'package-medical': 8990,
  'package-companion': 3100,
}
const discountShares: Record<string, number> = {
  'discount-early': 0.1,
  'discount-returning': 0.05,
  'discount-family': 0.075,
}

/** Rounds to the two decimals of every currency of the demo. */
export function toCents(amount: number): number {
  return Math.round(amount * 100) / 100
}

/** A stay and what it costs: bookings show it, and the order of the reservation sums it up. */
export type PricedStay = { stay: Stay; price: Price }

/** Prices every stay of every reservation. */
export function priceReservations(
  reservations: readonly Reservation[],
  seed: number,
): Map<Reservation, PricedStay[]> {
  const random = createRandom(seed, 'prices')
  return new Map(
    reservations.map((reservation) => [
      reservation,
      reservation.stays.map((stay) => ({ stay, price: priceStay(stay, reservation, random) })),
    ]),
  )
}

function priceStay(stay: Stay, reservation: Reservation, random: Random): Price {
  const packageId =
    stay.role === 'patient' ? random.pick(termIds('package').slice(0, 3)) : 'package-companion'
  const subtotal = toCents(packagePrices[packageId]! * Math.max(1, reservation.sessions.length))
  const discountIds =
    stay.complete || random.chance(0.35) ? random.some(termIds('discount'), random.whole(1, 2)) : []
  const share = discountIds.reduce((sum, id) => sum + discountShares[id]!, 0)
  return { packageId, subtotal, total: toCents(subtotal * (1 - share)), discountIds }
}

/** The financial part of a booking, as far as its status has got: an offer has no deposit yet. */
export function financialOf(
  stay: Stay,
  reservation: Reservation,
  price: Price,
  today: string,
  random: Random,
) {
  if (stay.status === 'voided' || stay.status === 'waitingList' || stay.status === 'review') return undefined
  const { subtotal, total, discountIds } = price
  const amounts = { subtotal, total, ...(discountIds.length > 0 && { discountIds }) }
  if (stay.status === 'offer') return amounts

  const yesterday = addDays(today, -1)
  const settled =
    (stay.complete && reservation.phase !== 'future') || stay.status === 'paid' || stay.status === 'departed'
  const hasDeposit = settled || stay.status === 'confirmed' || random.chance(0.6)
  if (!hasDeposit) return amounts

  const deposit = payment({
    amount: toCents(total * 0.3),
    notes: stay.status === 'cancelled' ? 'Kept as the terms of cancellation say' : random.pick(depositNotes),
    day: earliest(addDays(reservation.bookedDay, random.whole(1, 6)), yesterday),
    withNotes: stay.complete || stay.status === 'cancelled' || random.chance(0.5),
    random,
  })
  if (!settled) return { ...amounts, deposit }

  const fullPayment = payment({
    amount: toCents(total - deposit.amount),
    notes: random.pick(fullPaymentNotes),
    day: earliest(stay.lastDay, yesterday),
    withNotes: stay.complete || random.chance(0.5),
    random,
  })
  return { ...amounts, deposit, fullPayment }
}

type Paid = { amount: number; notes: string; day: string; withNotes: boolean; random: Random }

function payment({ amount, notes, day, withNotes, random }: Paid) {
  const paymentTypes = [...termIds('paymentType'), 'Settled with the insurer']
  return {
    amount,
    ...(withNotes && { notes }),
    paidAt: momentInUtc(day, `${random.whole(10, 17)}:${random.whole(10, 59)}`, demoTimeZone),
    paymentType: random.pick(paymentTypes),
  }
}
