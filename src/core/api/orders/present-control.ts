/** The answer of `GET /orders/control`, from the rows of `control-sql.ts`. */
import { currencyDecimals, formatAmount } from '../../locale/amounts.ts'
import { amountNumber, exactAmount } from '../../locale/exact-amounts.ts'
import { labelOf } from '../../locale/labels.ts'
import type { Language } from '../../locale/languages.ts'
import { localDateOf } from '../../locale/zones.ts'
import {
  groupOf,
  listOf,
  ORDER_GROUPS,
  type OrderGroup,
  type OrderRules,
} from '../../records/centers/order-rules.ts'
import type { Answer, Rows } from '../../request/operation.ts'
import { eachInSlices, type Sliced, sortedInSlices } from '../../request/slices.ts'
import { LOOSE_DEPOSIT } from './control-schema.ts'
import type { ControlPosition } from './control-sql.ts'
import {
  type Amounts,
  add,
  addToGroups,
  type CurrencyGroups,
  type GroupSums,
  MONEY,
  noGroups,
  none,
} from './order-groups.ts'
import { guestsOf, type NamedGuest } from './order-guests.ts'
import {
  type ControlledOrder,
  type Mismatch,
  mismatchesOf,
  ORDER_CHECKS,
  PAYMENT_CHECKS,
} from './order-mismatches.ts'
import { moneyOf, type OrderMoney } from './order-money.ts'
import { addOrder, inOrder, presentSum, type Totals, type TotalsByCurrency } from './order-totals.ts'

/** More than this many mismatches have a common cause; more orders than this are downloaded. All are counted. */
export const LISTED_MAX = 1000

/** A deposit without an order, as `control-sql.ts` selects it. */
type LooseDeposit = readonly [guestId: string, startDate: number, amount: string]

/** Each statement returns one row of one kind; that of the whole range returns both. */
type ControlRow = readonly [revision: number | null, ...Found, last: ControlPosition | null]
type Found =
  | readonly [kind: 'orders', found: readonly ControlledOrder[]]
  | readonly [kind: 'deposits', found: readonly LooseDeposit[]]

export const asControlRows = (rows: Rows) => rows as readonly unknown[] as readonly ControlRow[]

export interface ShownControl {
  readonly language: Language
  readonly zone: string
  /** of the center */
  readonly currency: string
  readonly rules: OrderRules
  readonly includeGuestNames: boolean
  readonly includePayments: boolean
  readonly includeOrders: boolean
}

/** An order with what was found out about it. */
interface Judged {
  readonly order: ControlledOrder
  readonly group: OrderGroup
  readonly problems: readonly Mismatch[]
  /** undefined if payments were not requested */
  readonly money: OrderMoney | undefined
}

/** Guests and sessions of an order are checked one by one. */
const WEIGHT_OF_ORDER = 4

export function* presentControl(rows: Rows, shown: ShownControl): Sliced<Answer> {
  const read = asControlRows(rows)
  const { includePayments, includeOrders, rules } = shown
  const totals: TotalsByCurrency = new Map()
  const groups = new Map<string, CurrencyGroups>()
  const judged: Judged[] = []
  const notListed = { status: new Set<string>(), paymentStatus: new Set<string>() }
  const inOtherCurrency = none()
  yield* eachInSlices(
    read.flatMap((row) => (row[1] === 'orders' ? row[2] : [])),
    (order) => {
      const [, , at, total, own, status, paymentStatus] = order
      const currency = own ?? shown.currency
      const group = groupOf(rules, status, paymentStatus)
      const money = includePayments ? moneyOf(order, group, rules, shown.currency) : undefined
      addOrder(totals, { currency, status, day: localDateOf(shown.zone, at), total })
      const ofCurrency = groups.get(currency) ?? noGroups()
      groups.set(currency, ofCurrency)
      addToGroups(ofCurrency, order, group, rules, money)
      if (money !== undefined) add(inOtherCurrency, money.inOtherCurrency)
      if (listOf(rules.orderStatuses, status) === undefined) notListed.status.add(status)
      if (paymentStatus !== null && listOf(rules.paymentStatuses, paymentStatus) === undefined) {
        notListed.paymentStatus.add(paymentStatus)
      }
      const problems = mismatchesOf(order, {
        zone: shown.zone,
        decimals: currencyDecimals(currency),
        withPayments: includePayments,
      })
      judged.push({ order, group, problems, money })
    },
    () => WEIGHT_OF_ORDER,
  )
  const loose = read.flatMap((row) => (row[1] === 'deposits' ? row[2] : []))
  const sorted = yield* sortedInSlices(judged, (a, b) =>
    byMoment(a.order[2], b.order[2], a.order[0], b.order[0]),
  )
  const wrong = sorted.filter(({ problems }) => problems.length > 0)
  const mismatches = wrong.slice(0, LISTED_MAX)
  const listed = includeOrders ? sorted.slice(0, LISTED_MAX) : []
  const deposits = (yield* sortedInSlices(loose, (a, b) => byMoment(a[1], b[1], a[0], b[0]))).slice(
    0,
    LISTED_MAX,
  )
  const body = JSON.stringify({
    orders: judged.length,
    currencies: inOrder(totals).map(([currency, own]) => ({
      ...presentTotals(currency, own, shown.language),
      ...presentGroups(currency, groups.get(currency) ?? noGroups(), shown),
    })),
    statusesNotDecided: {
      status: [...notListed.status].sort(),
      paymentStatus: [...notListed.paymentStatus].sort(),
    },
    paymentsInOtherCurrency: includePayments
      ? { currency: shown.currency, ...presentSum(inOtherCurrency, formatIn(shown.currency, shown)) }
      : null,
    checked: includePayments
      ? [...ORDER_CHECKS, LOOSE_DEPOSIT]
      : ORDER_CHECKS.filter((check) => !(PAYMENT_CHECKS as readonly string[]).includes(check)),
    notChecked: includePayments ? [] : [...PAYMENT_CHECKS, LOOSE_DEPOSIT],
    doNotFit: wrong.length,
    mismatches: mismatches.map((one) => ({ ...presentOrder(one, shown), problems: one.problems })),
    ...(includeOrders ? { listed: listed.map((one) => presentListed(one, shown)) } : {}),
    looseDeposits: loose.length,
    depositsWithoutOrder: deposits.map((deposit) => presentDeposit(deposit, shown)),
  })
  // The trail names the guests whose payments were read one by one.
  const guests = includePayments
    ? listed.flatMap(({ order: [, , , , , , , , of] }) => (of ?? []).map(([id]) => id))
    : []
  const ids = [
    ...new Set([
      ...[...mismatches, ...listed].map(({ order: [uuid] }) => uuid),
      ...deposits.map(([id]) => id),
      ...guests,
    ]),
  ]
  return { body, revision: read[0]?.[0] ?? 0, records: { count: ids.length, ids } }
}

const byMoment = (a: number, b: number, id: string, other: string) => a - b || (id < other ? -1 : 1)

const formatIn =
  (currency: string, { language }: { readonly language: Language }) =>
  (amount: number) =>
    formatAmount(language, currency, amount)

function presentTotals(currency: string, { all, byStatus, byDay }: Totals, language: Language) {
  const format = formatIn(currency, { language })
  return {
    currency,
    ...presentSum(all, format),
    byStatus: inOrder(byStatus).map(([status, sum]) => ({
      status,
      label: labelOf(language, 'orderStatus', status),
      ...presentSum(sum, format),
    })),
    byDay: inOrder(byDay).map(([date, sum]) => ({ date, ...presentSum(sum, format) })),
  }
}

function presentGroups(
  currency: string,
  { groups, money, paidOfOthers }: CurrencyGroups,
  shown: ShownControl,
) {
  const format = formatIn(currency, shown)
  const sums = ({ orders, total, refunds }: GroupSums) => ({
    ...presentSum({ orders, total }, format),
    refunds: presentSum(refunds, format),
  })
  const amounts = (of: Amounts) => presentSum(of, format)
  return {
    groups: ORDER_GROUPS.map((group) => ({
      group,
      ...sums(groups[group]),
      byStatus: inOrder(groups[group].byStatus).map(([, of]) => ({
        ...presentStatuses(of.status, of.paymentStatus, shown.language),
        ...sums(of),
      })),
    })),
    payments: shown.includePayments
      ? {
          ...Object.fromEntries(MONEY.map((name) => [name, amounts(money[name])])),
          paidOfOthers: amounts(paidOfOthers),
        }
      : null,
  }
}

const presentStatuses = (status: string, paymentStatus: string | null, language: Language) => ({
  status,
  statusLabel: labelOf(language, 'orderStatus', status),
  paymentStatus,
  paymentStatusLabel: paymentStatus === null ? null : labelOf(language, 'paymentStatus', paymentStatus),
})

function presentOrder({ order, group }: Judged, shown: ShownControl) {
  const [uuid, orderNumber, at, text, own, status, paymentStatus, , guests] = order
  const { language, zone, includeGuestNames } = shown
  const currency = own ?? shown.currency
  const total = amountNumber(exactAmount(text))
  return {
    uuid,
    orderNumber,
    date: localDateOf(zone, at),
    currency,
    total,
    totalLabel: formatAmount(language, currency, total),
    ...presentStatuses(status, paymentStatus, language),
    group,
    ...(includeGuestNames ? namesOf(guestsOf(guests ?? [])) : {}),
  }
}

const namesOf = (guests: readonly NamedGuest[]) => ({ guestNames: guests.map(({ name }) => name), guests })

function presentListed(judged: Judged, shown: ShownControl) {
  const { money, group, problems } = judged
  const isComparable = money !== undefined && money.inOtherCurrency === 0n
  const counts = group === 'valid' || group === 'open'
  return {
    ...presentOrder(judged, shown),
    doesNotFit: problems.length > 0,
    paid: isComparable ? amountNumber(money.paid + money.paidBack) : null,
    open: isComparable && counts ? amountNumber(money.open) : null,
  }
}

function presentDeposit([guestId, at, text]: LooseDeposit, { language, zone, currency }: ShownControl) {
  const amount = amountNumber(exactAmount(text))
  return {
    guestId,
    date: localDateOf(zone, at),
    amount,
    amountLabel: formatAmount(language, currency, amount),
  }
}
