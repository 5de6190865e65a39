/** What is paid of an order and what is open, by the payments of its bookings (ruling 51). Pure. */
import { exactAmount } from '../../locale/exact-amounts.ts'
import { listOf, type OrderGroup, type OrderRules } from '../../records/centers/order-rules.ts'
import type { ControlledOrder } from './order-mismatches.ts'

/**
 * Exact amounts (`exactAmount`). Of an order that is valid or open:
 * `total = paid + paidBack + open + notRecorded + notComparable - overpaid`; exactly one of the last four may differ from 0.
 * Of others only `paid` and `paidBack` are known.
 */
export interface OrderMoney {
  readonly paid: bigint
  /** 0 or negative */
  readonly paidBack: bigint
  readonly open: bigint
  /** the payment status says that it is paid, and no payment is recorded for this part */
  readonly notRecorded: bigint
  /** the total of an order with payments in another currency: nobody knows how much of it they pay */
  readonly notComparable: bigint
  readonly overpaid: bigint
  /** payments in the center's currency, of an order in another one; they are in no other amount */
  readonly inOtherCurrency: bigint
  /** how many payments are recorded */
  readonly payments: number
}

const NOTHING = { paid: 0n, paidBack: 0n, open: 0n, notRecorded: 0n, notComparable: 0n, overpaid: 0n }

/** @param currency of the center, in which all payments are */
export function moneyOf(
  order: ControlledOrder,
  group: OrderGroup,
  rules: OrderRules,
  currency: string,
): OrderMoney {
  const [, , , text, own, , paymentStatus, , guests] = order
  const amounts = (guests ?? []).flatMap(([, , , , , , , , deposit, full]) =>
    [deposit, full].flatMap((amount) => (amount == null ? [] : [exactAmount(amount)])),
  )
  const sumOf = (some: readonly bigint[]) => some.reduce((sum, amount) => sum + amount, 0n)
  const [paid, paidBack] = [
    sumOf(amounts.filter((amount) => amount > 0n)),
    sumOf(amounts.filter((amount) => amount < 0n)),
  ]
  const isCounted = group === 'valid' || group === 'open'
  const total = exactAmount(text)
  const payments = amounts.filter((amount) => amount !== 0n).length
  if (own !== null && own !== currency && payments > 0) {
    const notComparable = isCounted ? total : 0n
    return { ...NOTHING, notComparable, inOtherCurrency: paid + paidBack, payments }
  }
  const money = { ...NOTHING, paid, paidBack, inOtherCurrency: 0n, payments }
  if (!isCounted) return money
  const rest = total - paid - paidBack
  if (rest < 0n) return { ...money, overpaid: -rest }
  const saysPaid = paymentStatus !== null && listOf(rules.paymentStatuses, paymentStatus) === 'valid'
  return saysPaid ? { ...money, notRecorded: rest } : { ...money, open: rest }
}
