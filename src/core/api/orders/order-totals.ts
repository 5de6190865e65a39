/** Totals of orders: by currency, status and day. Currencies are never added to each other. */
import { amountNumber, exactAmount } from '../../locale/exact-amounts.ts'

/** The number of orders, and their exact sum. */
interface Sum {
  orders: number
  total: bigint
}

export interface Totals {
  readonly all: Sum
  readonly byStatus: Map<string, Sum>
  /** by local day */
  readonly byDay: Map<string, Sum>
}

/** By currency. */
export type TotalsByCurrency = Map<string, Totals>

export function addOrder(
  totals: TotalsByCurrency,
  order: { readonly currency: string; readonly status: string; readonly day: string; readonly total: string },
): void {
  let own = totals.get(order.currency)
  if (own === undefined) {
    own = { all: none(), byStatus: new Map(), byDay: new Map() }
    totals.set(order.currency, own)
  }
  const amount = exactAmount(order.total)
  for (const sum of [own.all, sumOf(own.byStatus, order.status), sumOf(own.byDay, order.day)]) {
    sum.orders += 1
    sum.total += amount
  }
}

const none = (): Sum => ({ orders: 0, total: 0n })

function sumOf(sums: Map<string, Sum>, key: string): Sum {
  const known = sums.get(key)
  if (known !== undefined) return known
  const sum = none()
  sums.set(key, sum)
  return sum
}

/** The sum as it is shown. @param format makes the text for people */
export function presentSum({ orders, total }: Sum, format: (amount: number) => string) {
  const amount = amountNumber(total)
  return { orders, total: amount, totalLabel: format(amount) }
}

/** Sorted by key. */
export const inOrder = <T>(by: ReadonlyMap<string, T>): [string, T][] =>
  [...by].sort(([a], [b]) => (a < b ? -1 : 1))
