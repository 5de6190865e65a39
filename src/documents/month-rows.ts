/**
 * The rows of a period's totals, for the page and for reports: by group and status, with an amount for each currency. Void is
 * in no total, and what the key may not read is not 0.
 */
import type { OrderControlAnswer } from '../../client/src/index.ts'
import { sumOf } from './sum-of.ts'
import type { WordKey, Words } from './words.ts'

type Currency = OrderControlAnswer['currencies'][number]
type Group = Currency['groups'][number]
type Payments = NonNullable<Currency['payments']>

export const GROUP_WORDS: Readonly<Record<Group['group'], WordKey>> = {
  valid: 'groupValid',
  open: 'groupOpen',
  notDecided: 'groupNotDecided',
  void: 'groupVoid',
}

/** What is paid and open, with its sentence; only the first two are shown if they are 0. */
const MONEY: readonly (readonly [keyof Payments, WordKey])[] = [
  ['paid', 'ofItPaid'],
  ['open', 'ofItOpen'],
  ['paidBack', 'paidBack'],
  ['notRecorded', 'saysPaidOnly'],
  ['notComparable', 'notComparable'],
  ['overpaid', 'paidTooMuch'],
]
const COUNTING = ['valid', 'open'] as const

export interface MonthRow {
  /** `group`: the heading of the rows below it */
  readonly kind: 'group' | 'status' | 'sum'
  readonly name: string
  /** of a heading */
  readonly note?: string
  readonly isVoid: boolean
  readonly isBold: boolean
  /** for each currency; undefined: this currency has none */
  readonly amounts: readonly (number | undefined)[] | 'notPermitted'
  readonly orders: number | undefined
}

/** How the row of an amount is made. */
interface RowInput extends Pick<MonthRow, 'kind' | 'name'> {
  readonly amount: (currency: Currency) => number | undefined
  readonly orders?: number
  readonly isVoid?: boolean
  readonly isBold?: boolean
}

const groupIn = ({ groups }: Currency, name: Group['group']) => groups.find(({ group }) => group === name)
const countOf = (currencies: readonly Currency[], of: (currency: Currency) => number | undefined) =>
  currencies.reduce((sum, currency) => sum + (of(currency) ?? 0), 0)

/** @param isPermitted whether the key may read payments @param language in which words are written small */
export function monthRows(
  t: Words,
  { currencies }: OrderControlAnswer,
  isPermitted: boolean,
  language: string,
): MonthRow[] {
  const row = ({ amount, orders, isVoid = false, isBold = false, ...rest }: RowInput): MonthRow => ({
    ...rest,
    isVoid,
    isBold,
    amounts: currencies.map(amount),
    orders,
  })

  /** A group: its statuses, what was paid back, and its sum. */
  const section = (group: Group['group']): MonthRow[] => {
    const own = currencies.flatMap((currency) => groupIn(currency, group) ?? [])
    if (!own.some(({ orders }) => orders > 0)) return []
    const statuses = new Map(own.flatMap(({ byStatus }) => byStatus.map((sum) => [keyOf(sum), sum] as const)))
    const isVoid = group === 'void'
    const within = (currency: Currency, key: string) =>
      groupIn(currency, group)?.byStatus.find((sum) => keyOf(sum) === key)
    return [
      {
        kind: 'group',
        name: t(GROUP_WORDS[group]),
        ...(isVoid ? { note: t('inNoTotal') } : {}),
        isVoid,
        isBold: false,
        amounts: [],
        orders: undefined,
      },
      ...[...statuses].map(([key, sum]) =>
        row({
          kind: 'status',
          name: nameOf(sum),
          isVoid,
          amount: (currency) => within(currency, key)?.total,
          orders: countOf(currencies, (currency) => within(currency, key)?.orders),
        }),
      ),
      ...(own.some(({ refunds }) => refunds.orders > 0)
        ? [
            row({
              kind: 'status',
              name: t('paidBack'),
              isVoid,
              amount(currency) {
                const refunds = groupIn(currency, group)?.refunds
                return refunds === undefined || refunds.orders === 0 ? undefined : refunds.total
              },
            }),
          ]
        : []),
      ...(statuses.size > 1
        ? [
            row({
              kind: 'sum',
              name: `${t(GROUP_WORDS[group])}: ${t('together').toLocaleLowerCase(language)}`,
              isVoid,
              amount: (currency) => groupIn(currency, group)?.total,
              orders: own.reduce((sum, { orders }) => sum + orders, 0),
            }),
          ]
        : []),
    ]
  }

  /** What is paid and open of what counts. */
  const paid = (): MonthRow[] => {
    if (!isPermitted) {
      return (['ofItPaid', 'ofItOpen'] as const).map((key) => ({
        kind: 'status',
        name: t(key),
        isVoid: false,
        isBold: false,
        amounts: 'notPermitted',
        orders: undefined,
      }))
    }
    return MONEY.filter(
      ([name], at) => at < 2 || currencies.some(({ payments }) => (payments?.[name].orders ?? 0) > 0),
    ).map(([name, key]) =>
      row({
        kind: 'status',
        isBold: name === 'open',
        name: t(key),
        amount: ({ payments }) => payments?.[name].total,
        ...(name === 'paid'
          ? {}
          : { orders: countOf(currencies, ({ payments }) => payments?.[name].orders) }),
      }),
    )
  }

  return [
    ...COUNTING.flatMap(section),
    row({
      kind: 'sum',
      isBold: true,
      name: t('validAndOpen'),
      amount: (currency) => sumOf(COUNTING.map((group) => groupIn(currency, group)?.total ?? 0)),
      orders: countOf(currencies, (currency) =>
        COUNTING.reduce((own, group) => own + (groupIn(currency, group)?.orders ?? 0), 0),
      ),
    }),
    ...paid(),
    ...section('notDecided'),
    ...section('void'),
    ...(currencies.some(({ payments }) => (payments?.paidOfOthers.orders ?? 0) > 0)
      ? [
          row({
            kind: 'status',
            name: t('paidOfOthers'),
            amount: ({ payments }) => payments?.paidOfOthers.total,
          }),
        ]
      : []),
  ]
}

/** The statuses in no list of the center, as people read them. */
export function statusesNotDecided({
  currencies,
  statusesNotDecided: { status, paymentStatus },
}: OrderControlAnswer): string[] {
  const sums = currencies.flatMap(({ groups }) => groups.flatMap(({ byStatus }) => byStatus))
  const label = (key: string) => sums.find((sum) => sum.status === key)?.statusLabel ?? key
  const labelOfPayment = (key: string) =>
    sums.find((sum) => sum.paymentStatus === key)?.paymentStatusLabel ?? key
  return [...new Set([...status.map(label), ...paymentStatus.map(labelOfPayment)])]
}

const keyOf = ({ status, paymentStatus }: Group['byStatus'][number]) =>
  JSON.stringify([status, paymentStatus])
const nameOf = ({ statusLabel, paymentStatusLabel }: Group['byStatus'][number]) =>
  [statusLabel, paymentStatusLabel].filter(Boolean).join(', ')
