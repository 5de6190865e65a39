/** `GET /orders/control`: totals of the orders of a range, and their inconsistencies. */
import type { Problem } from '../../errors/api-error.ts'
import { currencyDecimals, formatAmount } from '../../locale/amounts.ts'
import { daysBetween } from '../../locale/dates.ts'
import { amountNumber, exactAmount } from '../../locale/exact-amounts.ts'
import { labelOf } from '../../locale/labels.ts'
import type { Language } from '../../locale/languages.ts'
import { localDateOf } from '../../locale/zones.ts'
import { namesInOrder } from '../../records/order.ts'
import { costOf, resolveBounds } from '../../request/bounds.ts'
import { type Answer, defineOperation, type RequiredScope, type Rows } from '../../request/operation.ts'
import { booleanParameter, dateParameter } from '../../request/parameter-kinds.ts'
import { missingDates, readParameters, refusalOf } from '../../request/parameters.ts'
import { eachInSlices, type Sliced, sortedInSlices } from '../../request/slices.ts'
import { CONTROL_SCHEMA, LOOSE_DEPOSIT } from './control-schema.ts'
import {
  type ControlPosition,
  selectControlledOrders,
  selectLooseDeposits,
  selectWholeControl,
} from './control-sql.ts'
import { type ControlledOrder, type Mismatch, mismatchesOf, PAYMENT_CHECKS } from './order-mismatches.ts'
import { orderParameters } from './order-parameters.ts'
import { addOrder, inOrder, presentSum, type Totals, type TotalsByCurrency } from './order-totals.ts'

/** A leap year: accounts are closed by month or by year. */
const CONTROL_DAYS_MAX = 366
/** More than this many mismatches have a common cause. All are counted. */
const LISTED_MAX = 1000

const parameters = {
  startDate: dateParameter({ description: 'First day of the range. Required.' }),
  endDate: dateParameter({ description: 'Last day of the range. Required.' }),
  includeGuestNames: orderParameters.includeGuestNames,
  includePayments: booleanParameter({
    description:
      'Whether orders are held against the payments of their guests too. Needs the scope `guests.financial`.',
  }),
} as const

export const orderControl = defineOperation({
  name: 'orderControl',
  summary: 'Control of orders',
  description: `Totals of the orders of a range by currency, status and local day, and what does not fit: a total that is not the sum of the items, an order without guests or without a main guest, and a guest who is in the house on no day of the order’s session (the sessions of its main guest). With \`includePayments\` also: an order that is paid without a payment, an order that is unpaid with a deposit, and a deposit of a guest without an order. Currencies are never added to each other. At most ${CONTROL_DAYS_MAX} days.`,
  paths: ['/orders/control'],
  scope: 'orders',
  dependsOn: ['language'],
  parameters,
  required: ['startDate', 'endDate'],
  response: CONTROL_SCHEMA,

  parse({ center, language, query }) {
    const { values, sent, problems } = readParameters(parameters, query)
    const { bounds, problems: order } = resolveBounds(values, center.timezone)
    const { startDate, endDate, includeGuestNames, includePayments } = values
    const requiredScopes: RequiredScope[] = includePayments
      ? [{ scope: 'guests.financial', what: 'includePayments' }]
      : []
    const long = startDate === undefined || endDate === undefined ? [] : tooLong(startDate, endDate)
    const refusal = refusalOf([...problems, ...missingDates(sent), ...order, ...long])
    if (refusal !== undefined) return { requiredScopes, refusal }
    const shown = {
      language,
      zone: center.timezone,
      currency: center.currency,
      includeGuestNames,
      includePayments,
    }
    const orders = (after?: ControlPosition) =>
      selectControlledOrders(center.id, bounds, includePayments, after)
    const deposits = (after?: ControlPosition) => selectLooseDeposits(center.id, bounds, after)
    return {
      requiredScopes,
      normalForm: JSON.stringify([bounds, includeGuestNames, includePayments]),
      cost: costOf({ bounds, sessions: 0, daysPerCost: 7 }),
      statement: orders(),
      following: {
        kind: 'more rows',
        after(rows) {
          const [, kind, , last] = asRows(rows)[0] ?? []
          if (kind === 'deposits') return last == null ? undefined : deposits(last)
          if (last != null) return orders(last)
          return includePayments ? deposits() : undefined
        },
        revisionOf: (rows) => asRows(rows)[0]?.[0] ?? null,
        all: () => selectWholeControl(center.id, bounds, includePayments),
      },
      // Orders, their guests, sessions and payments: nearly everything.
      dependencies: undefined,
      present: (rows) => present(rows, shown),
    }
  },
})

/** A deposit without an order, as `control-sql.ts` selects it. */
type LooseDeposit = readonly [guestId: string, startDate: number, amount: string]

/** Each statement returns one row of one kind; that of the whole range returns both. */
type ControlRow = readonly [revision: number | null, ...Found, last: ControlPosition | null]
type Found =
  | readonly [kind: 'orders', found: readonly ControlledOrder[]]
  | readonly [kind: 'deposits', found: readonly LooseDeposit[]]

const asRows = (rows: Rows) => rows as readonly unknown[] as readonly ControlRow[]

interface Shown {
  readonly language: Language
  readonly zone: string
  /** of the center */
  readonly currency: string
  readonly includeGuestNames: boolean
  readonly includePayments: boolean
}

/** Guests and sessions of an order are checked one by one. */
const WEIGHT_OF_ORDER = 4

function* present(rows: Rows, shown: Shown): Sliced<Answer> {
  const read = asRows(rows)
  const totals: TotalsByCurrency = new Map()
  const wrong: { readonly order: ControlledOrder; readonly problems: readonly Mismatch[] }[] = []
  let orders = 0
  yield* eachInSlices(
    read.flatMap((row) => (row[1] === 'orders' ? row[2] : [])),
    (order) => {
      const [, , at, total, own, status] = order
      const currency = own ?? shown.currency
      orders += 1
      addOrder(totals, { currency, status, day: localDateOf(shown.zone, at), total })
      const problems = mismatchesOf(order, {
        zone: shown.zone,
        decimals: currencyDecimals(currency),
        withPayments: shown.includePayments,
      })
      if (problems.length > 0) wrong.push({ order, problems })
    },
    () => WEIGHT_OF_ORDER,
  )
  const loose = read.flatMap((row) => (row[1] === 'deposits' ? row[2] : []))
  const listed = (yield* sortedInSlices(wrong, (a, b) =>
    byMoment(a.order[2], b.order[2], a.order[0], b.order[0]),
  )).slice(0, LISTED_MAX)
  const deposits = (yield* sortedInSlices(loose, (a, b) => byMoment(a[1], b[1], a[0], b[0]))).slice(
    0,
    LISTED_MAX,
  )
  const body = JSON.stringify({
    orders,
    currencies: inOrder(totals).map(([currency, own]) => presentTotals(currency, own, shown.language)),
    notChecked: shown.includePayments ? [] : [...PAYMENT_CHECKS, LOOSE_DEPOSIT],
    doNotFit: wrong.length,
    mismatches: listed.map(({ order, problems }) => presentMismatch(order, problems, shown)),
    looseDeposits: loose.length,
    depositsWithoutOrder: deposits.map((deposit) => presentDeposit(deposit, shown)),
  })
  const ids = [...listed.map(({ order: [uuid] }) => uuid), ...deposits.map(([id]) => id)]
  return { body, revision: read[0]?.[0] ?? 0, records: { count: ids.length, ids } }
}

const byMoment = (a: number, b: number, id: string, other: string) => a - b || (id < other ? -1 : 1)

function presentTotals(currency: string, { all, byStatus, byDay }: Totals, language: Language) {
  const format = (amount: number) => formatAmount(language, currency, amount)
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

function presentMismatch(order: ControlledOrder, problems: readonly Mismatch[], shown: Shown) {
  const [uuid, orderNumber, at, text, own, status, paymentStatus, , guests] = order
  const { language, zone, includeGuestNames } = shown
  const currency = own ?? shown.currency
  const total = amountNumber(exactAmount(text))
  const names = (guests ?? []).map(([, first, last, isMain]) => [first, last, isMain] as const)
  return {
    uuid,
    orderNumber,
    date: localDateOf(zone, at),
    currency,
    total,
    totalLabel: formatAmount(language, currency, total),
    status,
    statusLabel: labelOf(language, 'orderStatus', status),
    paymentStatus,
    paymentStatusLabel: paymentStatus === null ? null : labelOf(language, 'paymentStatus', paymentStatus),
    ...(includeGuestNames ? { guestNames: namesInOrder(names) } : {}),
    problems,
  }
}

function presentDeposit([guestId, at, text]: LooseDeposit, { language, zone, currency }: Shown) {
  const amount = amountNumber(exactAmount(text))
  return {
    guestId,
    date: localDateOf(zone, at),
    amount,
    amountLabel: formatAmount(language, currency, amount),
  }
}

function tooLong(startDate: string, endDate: string): Problem[] {
  const days = daysBetween(startDate, endDate) + 1
  if (days <= CONTROL_DAYS_MAX) return []
  const message = `The range has ${days} days; one request takes at most ${CONTROL_DAYS_MAX}. Ask for parts of it.`
  return [{ parameter: 'endDate', message }]
}
