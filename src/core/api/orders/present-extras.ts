/** What one order has on request: labels for people, what does not fit, and its payments (ruling 51). */
import { currencyDecimals } from '../../locale/amounts.ts'
import { amountNumber, exactAmount } from '../../locale/exact-amounts.ts'
import { labelOf } from '../../locale/labels.ts'
import type { Language } from '../../locale/languages.ts'
import { ORDER } from '../../records/order.ts'
import { type ControlledOrder, mismatchesOf, PAYMENT_CHECKS } from './order-mismatches.ts'

/** A deposit or payment of a booking, as `orders-sql.ts` selects it. */
export type PaymentRow = readonly [
  guestId: string,
  kind: 'deposit' | 'fullPayment',
  amount: string,
  paidAt: string | null,
  paymentType: string | null,
  paymentTypeName: string | null,
  notes: string | null,
]

export interface ExtrasContext {
  readonly language: Language
  readonly zone: string
  /** of the center, for orders without a currency, and for payments */
  readonly currency: string
  readonly withPayments: boolean
}

/** The labels that the list of orders has. */
export const labelsOf = (row: readonly unknown[], language: Language) =>
  Object.fromEntries(
    ORDER.fields.flatMap(({ name, labels, stored }) => {
      if (labels === undefined || stored === undefined) return []
      const raw = ORDER.read(row, stored.column) as string | null
      return [[name, raw === null ? null : labelOf(language, labels, raw)]]
    }),
  )

/** The last two values of a row of a single order; null if they were not requested. */
export function extrasOf(row: readonly unknown[]) {
  const [control, payments] = row.slice(ORDER.width)
  return {
    control: (control ?? null) as ControlledOrder | null,
    payments: (payments ?? null) as readonly PaymentRow[] | null,
  }
}

/** What does not fit, as the control of orders finds it. */
export function checksOf(order: ControlledOrder, { zone, currency, withPayments }: ExtrasContext) {
  const [, , , , own, , , itemsTotal] = order
  const decimals = currencyDecimals(own ?? currency)
  return {
    itemsTotal: itemsTotal === null ? null : amountNumber(exactAmount(itemsTotal)),
    problems: mismatchesOf(order, { zone, decimals, withPayments }),
    notChecked: withPayments ? [] : PAYMENT_CHECKS,
  }
}

/** By the day of the payment, those without a day last, then by guest. */
export const paymentsFrom = (
  rows: readonly PaymentRow[],
  { language, currency }: Pick<ExtrasContext, 'language' | 'currency'>,
) =>
  [...rows]
    .sort(
      ([id, kind, , at], [otherId, otherKind, , otherAt]) =>
        compare(at ?? '~', otherAt ?? '~') || compare(id, otherId) || compare(kind, otherKind),
    )
    .map(([guestId, kind, amount, paidAt, paymentType, name, notes]) => ({
      guestId,
      kind,
      amount: amountNumber(exactAmount(amount)),
      currency,
      paidAt,
      paymentType,
      paymentTypeLabel:
        paymentType === null ? null : (name ?? labelOf(language, 'paymentMethod', paymentType)),
      notes,
    }))

const compare = (one: string, other: string) => (one < other ? -1 : one > other ? 1 : 0)
