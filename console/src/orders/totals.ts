/** Totals of orders: each currency by itself, because amounts of two currencies have no sum. */
import type { ListedOrder } from '../../../client/src/index.ts'
import { addDays } from '../base/days.ts'

/** What people call an order: its number, else the beginning of its identifier, of which the order itself shows all. */
export const nameOfOrder = ({
  orderNumber,
  uuid,
}: {
  readonly orderNumber: string | null
  readonly uuid: string
}): string => orderNumber ?? (uuid.length > 12 ? `${uuid.slice(0, 8)}…` : uuid)

export interface Sum {
  readonly count: number
  readonly amount: number
}

export interface CurrencyTotals extends Sum {
  readonly currency: string
  /** by the label of the status, in the order in which they first occur */
  readonly byStatus: ReadonlyMap<string, Sum>
  /** by local day */
  readonly byDay: ReadonlyMap<string, Sum>
}

const NOTHING: Sum = { count: 0, amount: 0 }

function add(sums: Map<string, Sum>, key: string, amount: number): void {
  const { count, amount: before } = sums.get(key) ?? NOTHING
  sums.set(key, { count: count + 1, amount: before + amount })
}

/** @param dayOf the center's day of a moment */
export function totalsOf(
  orders: readonly ListedOrder[],
  dayOf: (moment: string) => string,
): CurrencyTotals[] {
  const found = new Map<string, { sum: Sum; byStatus: Map<string, Sum>; byDay: Map<string, Sum> }>()
  for (const { ids, status } of orders) {
    const of = found.get(ids.currency) ?? { sum: NOTHING, byStatus: new Map(), byDay: new Map() }
    const amount = ids.totalAmount ?? 0
    found.set(ids.currency, { ...of, sum: { count: of.sum.count + 1, amount: of.sum.amount + amount } })
    add(of.byStatus, status ?? '–', amount)
    add(of.byDay, dayOf(ids.orderDate), amount)
  }
  return [...found]
    .map(([currency, { sum, byStatus, byDay }]) => ({ currency, ...sum, byStatus, byDay }))
    .sort((a, b) => b.count - a.count || a.currency.localeCompare(b.currency))
}

/** Every day from one to another, both included; at most `limit`. */
export function daysFrom(from: string, to: string, limit: number): string[] {
  const days: string[] = []
  for (let day = from; day <= to && days.length < limit; day = addDays(day, 1)) days.push(day)
  return days
}
