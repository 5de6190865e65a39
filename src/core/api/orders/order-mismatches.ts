/** Finds inconsistencies in an order: in its total, its payments, its guests and their stays. */
import { amountNumber, exactAmount, roundedAmount } from '../../locale/exact-amounts.ts'
import { localDateOf } from '../../locale/zones.ts'
import * as Schema from '../../request/object-schema.ts'

/** A guest of an order, as `control-sql.ts` selects them. */
export type OrderGuest = readonly [
  id: string,
  firstName: string | null,
  lastName: string | null,
  isMain: boolean,
  status: string,
  startDate: number,
  endDate: number,
  sessions: readonly (readonly [id: string, startDate: number, endDate: number])[] | null,
  /** both undefined if payments were not requested */
  deposit?: string | null,
  fullPayment?: string | null,
]

/** A row of `control-sql.ts`. */
export type ControlledOrder = readonly [
  uuid: string,
  number: string | null,
  orderDate: number,
  total: string,
  currency: string | null,
  status: string,
  paymentStatus: string | null,
  itemsTotal: string | null,
  guests: readonly OrderGuest[] | null,
]

/** The checks that need payments. */
export const PAYMENT_CHECKS = ['paidWithoutPayment', 'depositButUnpaid'] as const
export const ORDER_CHECKS = [
  'totalDiffersFromItems',
  'noGuests',
  'noMainGuest',
  'stayOutsideSession',
  ...PAYMENT_CHECKS,
] as const

/** Something in an order that does not fit. */
export const ORDER_PROBLEM = Schema.object({
  kind: Schema.oneOf(ORDER_CHECKS),
  amount: Schema.numberOrNull('the sum of the items, or of the deposits; null for other problems'),
  guestId: Schema.textOrNull('the guest whom the problem is about, or null'),
})

export type Mismatch = Schema.AnswerOf<typeof ORDER_PROBLEM>

interface Checked {
  readonly zone: string
  /** of the order's currency */
  readonly decimals: number
  readonly withPayments: boolean
}

export function mismatchesOf(order: ControlledOrder, { zone, decimals, withPayments }: Checked): Mismatch[] {
  const [, , , total, , status, paymentStatus, itemsTotal, found] = order
  const guests = found ?? []
  const mismatches: Mismatch[] = []
  const add = (kind: Mismatch['kind'], amount: bigint | null = null, guestId: string | null = null) =>
    mismatches.push({ kind, amount: amount === null ? null : amountNumber(amount), guestId })

  if (itemsTotal !== null) {
    const items = roundedAmount(exactAmount(itemsTotal), decimals)
    if (items !== roundedAmount(exactAmount(total), decimals)) add('totalDiffersFromItems', items)
  }
  if (guests.length === 0) add('noGuests')
  else if (!guests.some(([, , , isMain]) => isMain)) add('noMainGuest')
  for (const id of guestsOutside(guests, zone)) add('stayOutsideSession', null, id)
  if (!withPayments) return mismatches

  const paid = guests.flatMap(([, , , , , , , , deposit, full]) => [deposit ?? '0', full ?? '0'])
  const says = plainWord(paymentStatus ?? status)
  if (says === 'paid' && paid.every((amount) => exactAmount(amount) <= 0n)) add('paidWithoutPayment')
  const deposits = guests.reduce((sum, [, , , , , , , , deposit]) => sum + exactAmount(deposit ?? '0'), 0n)
  if (says === 'unpaid' && deposits > 0n) add('depositButUnpaid', deposits)
  return mismatches
}

/**
 * Guests who are present on no day of the order's sessions: its main guest's sessions, or those of all guests if none
 * is marked.
 */
function guestsOutside(guests: readonly OrderGuest[], zone: string): string[] {
  const main = guests.filter(([, , , isMain]) => isMain)
  const sessions = (main.length > 0 ? main : guests).flatMap(([, , , , , , , own]) => own ?? [])
  if (sessions.length === 0) return []
  const day = (at: number) => localDateOf(zone, at)
  return guests
    .filter(([, , , , status]) => !NOT_STAYING.has(status))
    .filter(
      ([, , , , , start, end]) =>
        !sessions.some(([, from, to]) => day(end) >= day(from) && day(start) <= day(to)),
    )
    .map(([id]) => id)
    .sort()
}

const NOT_STAYING: ReadonlySet<string> = new Set(['cancelled', 'voided'])

/** The word without differences of spelling between systems. */
const plainWord = (status: string) => status.replaceAll(/[\s_-]+/g, '').toLowerCase()
