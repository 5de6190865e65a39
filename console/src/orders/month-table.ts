/**
 * The totals of a period: by group and status, with a column for each currency. Void is in no total, and what the key may
 * not read is not 0.
 */
import { type ComponentChild, h } from 'preact'
import type { OrderControlAnswer } from '../../../client/src/index.ts'
import { amountInColumn, amountText, numberText } from '../base/days.ts'
import { language, may, words } from '../base/signed-in.ts'
import type { WordKey } from '../base/words.ts'
import { sumOf } from './order-payments.ts'

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

interface RowProps {
  readonly of: OrderControlAnswer
  readonly name: ComponentChild
  /** undefined: this currency has none */
  readonly amount: (currency: Currency) => number | undefined
  readonly orders?: number
  readonly kind?: string
  readonly isBold?: boolean
}

function Row({ of, name, amount, orders, kind, isBold = false }: RowProps): ComponentChild {
  const text = (content: ComponentChild) => (isBold ? h('b', null, content) : content)
  return h('tr', { class: kind }, [
    h('th', { scope: 'row' }, text(name)),
    of.currencies.map((currency) => {
      const value = amount(currency)
      const written = value === undefined ? '–' : amountInColumn(value, currency.currency, language.value)
      return h('td', { class: 'num' }, text(written))
    }),
    h('td', { class: 'num' }, orders === undefined ? '' : numberText(orders, language.value)),
  ])
}

const groupIn = ({ groups }: Currency, name: Group['group']) => groups.find(({ group }) => group === name)

export function MonthTable({ of }: { readonly of: OrderControlAnswer }): ComponentChild {
  const t = words.value
  const sections = (['valid', 'open', 'notDecided', 'void'] as const).filter((group) =>
    of.currencies.some((currency) => (groupIn(currency, group)?.orders ?? 0) > 0),
  )
  const counting = ['valid', 'open'] as const
  const other = of.paymentsInOtherCurrency
  return h('section', null, [
    h('h2', null, t('theMonth')),
    h(
      'div',
      { class: 'scroll', tabIndex: 0, role: 'region', 'aria-label': t('theMonth') },
      h('table', { class: 'lines money' }, [
        h('caption', { class: 'vh' }, t('theMonth')),
        h(
          'thead',
          null,
          h('tr', null, [
            h('th', { scope: 'col' }, t('status')),
            of.currencies.map(({ currency }) => h('th', { scope: 'col', class: 'num' }, currency)),
            h('th', { scope: 'col', class: 'num' }, t('orders')),
          ]),
        ),
        h('tbody', null, [
          counting.filter((group) => sections.includes(group)).map((group) => h(Section, { of, group })),
          h(Row, {
            of,
            kind: 'sub',
            isBold: true,
            name: t('validAndOpen'),
            amount: (currency) =>
              counting.reduce((sum, group) => sumOf([sum, groupIn(currency, group)?.total ?? 0]), 0),
            orders: of.currencies.reduce(
              (sum, currency) =>
                sum + counting.reduce((own, group) => own + (groupIn(currency, group)?.orders ?? 0), 0),
              0,
            ),
          }),
          h(PaidRows, { of }),
          (['notDecided', 'void'] as const)
            .filter((group) => sections.includes(group))
            .map((group) => h(Section, { of, group })),
          of.currencies.some(({ payments }) => (payments?.paidOfOthers.orders ?? 0) > 0) &&
            h(Row, {
              of,
              kind: 'in',
              name: t('paidOfOthers'),
              amount: ({ payments }) => payments?.paidOfOthers.total,
            }),
        ]),
      ]),
    ),
    h('p', { class: 'soft small' }, t('neverOneSum')),
    other !== null &&
      other.orders > 0 &&
      h(
        'p',
        { class: 'say' },
        t('paymentsInOtherCurrency', { amount: amountText(other.total, other.currency, language.value) }),
      ),
  ])
}

interface SectionProps {
  readonly of: OrderControlAnswer
  readonly group: Group['group']
}

/** A group: its statuses, what was paid back, and its sum. */
function Section({ of, group }: SectionProps): ComponentChild {
  const t = words.value
  const own = of.currencies.flatMap((currency) => groupIn(currency, group) ?? [])
  const statuses = new Map(own.flatMap(({ byStatus }) => byStatus.map((sum) => [keyOf(sum), sum] as const)))
  const isVoid = group === 'void'
  const kind = isVoid ? 'in void' : 'in'
  const within = (currency: Currency, key: string) =>
    groupIn(currency, group)?.byStatus.find((sum) => keyOf(sum) === key)
  const hasRefunds = own.some(({ refunds }) => refunds.orders > 0)
  return [
    h('tr', { class: 'top' }, [
      h('th', { scope: 'rowgroup', colSpan: of.currencies.length + 2 }, [
        t(GROUP_WORDS[group]),
        isVoid && [' ', h('span', { class: 'soft' }, t('inNoTotal'))],
      ]),
    ]),
    [...statuses].map(([key, sum]) =>
      h(Row, {
        of,
        kind,
        name: nameOf(sum),
        amount: (currency: Currency) => within(currency, key)?.total,
        orders: of.currencies.reduce((all, currency) => all + (within(currency, key)?.orders ?? 0), 0),
      }),
    ),
    hasRefunds &&
      h(Row, {
        of,
        kind,
        name: t('paidBack'),
        amount: (currency: Currency) => {
          const refunds = groupIn(currency, group)?.refunds
          return refunds === undefined || refunds.orders === 0 ? undefined : refunds.total
        },
      }),
    statuses.size > 1 &&
      h(Row, {
        of,
        kind: isVoid ? 'sub void' : 'sub',
        name: `${t(GROUP_WORDS[group])}: ${t('together').toLocaleLowerCase(language.value)}`,
        amount: (currency: Currency) => groupIn(currency, group)?.total,
        orders: own.reduce((sum, { orders }) => sum + orders, 0),
      }),
  ]
}

/** What is paid and open of what counts; without the scope it is not permitted, which is not 0. */
function PaidRows({ of }: { readonly of: OrderControlAnswer }): ComponentChild {
  const t = words.value
  if (!may('guests.financial')) {
    return (['ofItPaid', 'ofItOpen'] as const).map((key) =>
      h('tr', { class: 'in' }, [
        h('th', { scope: 'row' }, t(key)),
        h('td', { colSpan: of.currencies.length + 1, class: 'num' }, h('i', null, t('notPermitted'))),
      ]),
    )
  }
  return MONEY.filter(
    ([name], at) => at < 2 || of.currencies.some(({ payments }) => (payments?.[name].orders ?? 0) > 0),
  ).map(([name, key]) =>
    h(Row, {
      of,
      kind: 'in',
      isBold: name === 'open',
      name: t(key),
      amount: ({ payments }: Currency) => payments?.[name].total,
      ...(name === 'paid'
        ? {}
        : { orders: of.currencies.reduce((sum, { payments }) => sum + (payments?.[name].orders ?? 0), 0) }),
    }),
  )
}

const keyOf = ({ status, paymentStatus }: Group['byStatus'][number]) =>
  JSON.stringify([status, paymentStatus])
const nameOf = ({ statusLabel, paymentStatusLabel }: Group['byStatus'][number]) =>
  [statusLabel, paymentStatusLabel].filter(Boolean).join(', ')
