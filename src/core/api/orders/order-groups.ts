/** Sums of the orders of one currency by group (ruling 51), with what is paid and open of those that count. */
import { exactAmount } from '../../locale/exact-amounts.ts'
import {
  isRefunded,
  ORDER_GROUPS,
  type OrderGroup,
  type OrderRules,
} from '../../records/centers/order-rules.ts'
import type { ControlledOrder } from './order-mismatches.ts'
import type { OrderMoney } from './order-money.ts'

/** A number of orders, and the exact sum of something of them. */
export interface Amounts {
  orders: number
  total: bigint
}

export interface GroupSums {
  orders: number
  /** without negative totals */
  total: bigint
  /** 0 or negative: negative totals, and the totals of orders that were paid back */
  refunds: Amounts
}

export interface StatusSums extends GroupSums {
  readonly status: string
  readonly paymentStatus: string | null
}

/** What is paid and open, in the order in which it is shown. */
export const MONEY = ['paid', 'paidBack', 'open', 'notRecorded', 'notComparable', 'overpaid'] as const

export interface CurrencyGroups {
  readonly groups: Readonly<Record<OrderGroup, GroupSums & { readonly byStatus: Map<string, StatusSums> }>>
  /** of orders that are valid or open */
  readonly money: Readonly<Record<(typeof MONEY)[number], Amounts>>
  /** payments of orders that are not decided or void */
  readonly paidOfOthers: Amounts
}

export const noGroups = (): CurrencyGroups => ({
  groups: record(ORDER_GROUPS, () => ({ ...noSums(), byStatus: new Map<string, StatusSums>() })),
  money: record(MONEY, none),
  paidOfOthers: none(),
})

export function addToGroups(
  to: CurrencyGroups,
  order: ControlledOrder,
  group: OrderGroup,
  rules: OrderRules,
  money: OrderMoney | undefined,
): void {
  const [, , , text, , status, paymentStatus] = order
  const own = to.groups[group]
  const key = JSON.stringify([status, paymentStatus])
  let ofStatus = own.byStatus.get(key)
  if (ofStatus === undefined) {
    ofStatus = { ...noSums(), status, paymentStatus }
    own.byStatus.set(key, ofStatus)
  }
  const total = exactAmount(text)
  const refund = total < 0n ? total : isRefunded(rules, status, paymentStatus) ? -total : 0n
  for (const sums of [own, ofStatus]) {
    sums.orders += 1
    if (total > 0n) sums.total += total
    add(sums.refunds, refund)
  }
  if (money === undefined) return
  if (group === 'valid' || group === 'open') for (const name of MONEY) add(to.money[name], money[name])
  else add(to.paidOfOthers, money.paid + money.paidBack)
}

export function add(sum: Amounts, amount: bigint): void {
  if (amount === 0n) return
  sum.orders += 1
  sum.total += amount
}

export const none = (): Amounts => ({ orders: 0, total: 0n })
const noSums = (): GroupSums => ({ orders: 0, total: 0n, refunds: none() })

const record = <Name extends string, Value>(names: readonly Name[], make: () => Value) =>
  Object.fromEntries(names.map((name) => [name, make()])) as Record<Name, Value>
