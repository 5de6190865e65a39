/** Finds orders that do not add up, as the control of orders knows it, and orders without guests. Pure. */

import { type ControlledOrder, type Mismatch, mismatchesOf } from '../../core/api/orders/order-mismatches.ts'
import { currencyDecimals } from '../../core/locale/amounts.ts'
import { amountNumber, exactAmount } from '../../core/locale/exact-amounts.ts'
import type { ContradictionKind } from '../../core/records/centers/contradiction-kinds.ts'
import { type Found, found } from './evidence.ts'

const KIND_OF: Readonly<Partial<Record<Mismatch['kind'], ContradictionKind>>> = {
  totalDiffersFromItems: 'orderDoesNotAddUp',
  noMainGuest: 'orderDoesNotAddUp',
  noGuests: 'orderWithoutGuests',
  paidWithoutPayment: 'paymentDoesNotFit',
  depositButUnpaid: 'paymentDoesNotFit',
}

/** @param currency of the center */
export function judgeOrders(orders: readonly ControlledOrder[], zone: string, currency: string): Found[] {
  return orders.flatMap((order) => {
    const decimals = currencyDecimals(order[4] ?? currency)
    const mismatches = mismatchesOf(order, { zone, decimals, withPayments: true })
    const byKind = Map.groupBy(mismatches, ({ kind }) => KIND_OF[kind])
    return [...byKind].flatMap(([kind, problems]) =>
      kind === undefined ? [] : [present(kind, order, problems)],
    )
  })
}

function present(kind: ContradictionKind, order: ControlledOrder, problems: readonly Mismatch[]): Found {
  const [uuid, number, , total, , status, paymentStatus] = order
  return found({
    kind,
    key: [uuid],
    evidence: {
      records: [{ kind: 'order', id: uuid, name: number }],
      compared: [
        { field: 'problems', values: [problems.map((problem) => problem.kind)] },
        ...(kind === 'orderDoesNotAddUp'
          ? [
              { field: 'totalAmount', values: [amountNumber(exactAmount(total))] },
              ...problems.flatMap(({ amount }) =>
                amount === null ? [] : [{ field: 'itemsTotal', values: [amount] }],
              ),
            ]
          : []),
        ...(kind === 'paymentDoesNotFit'
          ? [
              { field: 'status', values: [status] },
              { field: 'paymentStatus', values: [paymentStatus] },
              ...problems.flatMap(({ amount }) =>
                amount === null ? [] : [{ field: 'deposits', values: [amount] }],
              ),
            ]
          : []),
      ],
    },
  })
}
