/** One order in full: what does not fit first, then its items with line totals, its payments, its guests. */
import { type ComponentChild, h } from 'preact'
import type { Order } from '../../../client/src/index.ts'
import { isDay, localTime, writtenDay } from '../../../src/documents/days.ts'
import { amountText, numberText } from '../../../src/documents/numbers.ts'
import { sumOf } from '../../../src/documents/sum-of.ts'
import { notUnderstood } from '../base/address.ts'
import type { PageProps } from '../base/page.ts'
import { useResource } from '../base/resource.ts'
import { to } from '../base/routes.ts'
import { language, may, words } from '../base/signed-in.ts'
import { useTitle } from '../base/title.ts'
import { DataFoot } from '../frame/data-age.ts'
import { NotUnderstood } from '../frame/not-understood.ts'
import { State } from '../frame/states.ts'
import { LinkedGuests } from '../guest/linked-guests.ts'
import { zone } from '../kitchen/kitchen-reading.ts'
import { sentencesOf } from './mismatches.ts'
import { Payments } from './order-payments.ts'
import { isGroup } from './order-rows.ts'
import { isPeriod, nameOfPeriod } from './period.ts'

const UNDERSTOOD = {
  uuid: () => true,
  startDate: isDay,
  endDate: isDay,
  group: isGroup,
  status: () => true,
  paymentStatus: () => true,
}

export function OneOrder({ query }: PageProps): ComponentChild {
  const t = words.value
  const { uuid = '', startDate, endDate, group, status, paymentStatus } = query
  const asked = {
    includeGuests: true,
    includeLabels: true,
    includeChecks: true,
    includePayments: may('guests.financial'),
  }
  const reader = useResource((sojourn, signal) => sojourn.orders.get(uuid, asked, { signal }), [uuid])
  const reading = reader.state.value
  const order = reading.value
  const name = order === undefined ? '' : (order.orderNumber ?? order.uuid)
  useTitle(`${t('order')} ${name}`.trim())
  const isUnknown = reading.problem?.kind === 'refused'
  return h('div', null, [
    h(
      'div',
      { class: 'head' },
      h('div', null, [
        h('h1', null, [t('order'), ' ', h('span', null, name)]),
        h(
          'nav',
          { class: 'days', 'aria-label': t('orders') },
          h(
            'a',
            { href: to('orders', { startDate, endDate, group, status, paymentStatus }) },
            backTo(startDate, endDate),
          ),
        ),
      ]),
    ),
    h(NotUnderstood, { parts: notUnderstood(query, UNDERSTOOD) }),
    isUnknown
      ? h('p', { class: 'say bad', role: 'alert' }, h('b', null, t('orderUnknown')))
      : h(State, { reading, reader }),
    order && h(Warnings, { order }),
    order && h('div', { class: 'cols order' }, [h(Facts, { order }), h(Items, { order })]),
    order && h(Payments, { payments: order.payments }),
    h(DataFoot, { reading, kind: 'orders' }),
  ])
}

/** The period of the list that led here. */
function backTo(startDate = '', endDate = ''): string {
  const t = words.value
  const period = { startDate, endDate }
  if (!isPeriod(period)) return t('orders')
  return `${t('backToOrders')}: ${t('orders')} ${nameOfPeriod(t, period, language.value)}`
}

/** What does not fit, and what was not looked at. */
function Warnings({ order }: { readonly order: Order }): ComponentChild {
  const t = words.value
  const { checks, currency } = order
  if (checks === undefined) return null
  const amount = (value: number) => amountText(value, currency, language.value)
  const { itemsTotal, problems, notChecked } = checks
  const sum = problems.find(({ kind }) => kind === 'totalDiffersFromItems')
  const others = sentencesOf(
    problems.filter((problem) => problem !== sum),
    currency,
  )
  return h('div', null, [
    problems.length > 0 &&
      h('div', { class: 'say bad', role: 'note' }, [
        sum &&
          h(
            'b',
            null,
            t('itemsDiffer', { items: amount(itemsTotal ?? 0), total: amount(order.totalAmount) }),
          ),
        others.length > 0 && h('p', null, `${others.join('. ')}.`),
      ]),
    notChecked.length > 0 && h('p', { class: 'say' }, t('paymentsNotChecked')),
  ])
}

function Facts({ order }: { readonly order: Order }): ComponentChild {
  const t = words.value
  const { billingAddress: address, labels } = order
  const written = [address.street, [address.zip, address.city].filter(Boolean).join(' '), address.country]
  const facts: readonly (readonly [string, ComponentChild])[] = [
    [t('date'), writtenDay(localTime(order.orderDate, zone()).day, language.value)],
    [t('status'), labels?.status ?? ''],
    [t('payment'), [labels?.paymentStatus, labels?.paymentMethod].filter(Boolean).join(', ')],
    [t('guests'), h(LinkedGuests, { guests: order.guests })],
    [t('billingAddress'), written.filter(Boolean).join(', ')],
    [t('notes'), order.notes ?? ''],
  ]
  return h(
    'section',
    { class: 'block' },
    h(
      'dl',
      null,
      facts.flatMap(([name, text]) => [h('dt', null, name), h('dd', null, text || '–')]),
    ),
  )
}

function Items({ order }: { readonly order: Order }): ComponentChild {
  const t = words.value
  const amount = (value: number) => amountText(value, order.currency, language.value)
  const together = order.checks?.itemsTotal ?? null
  const isDifferent = order.checks?.problems.some(({ kind }) => kind === 'totalDiffersFromItems') ?? false
  const last = (name: string, value: number, isBad = false) =>
    h('tr', { class: isBad ? 'chg' : undefined }, [
      h('th', { scope: 'row', colSpan: 3 }, name),
      h('td', { class: 'num' }, amount(value)),
    ])
  return h(
    'section',
    { class: 'block' },
    h(
      'div',
      { class: 'scroll', tabIndex: 0, role: 'region', 'aria-label': t('items') },
      h('table', { class: 'lines' }, [
        h('caption', { class: 'vh' }, t('items')),
        h(
          'thead',
          null,
          h('tr', null, [
            h('th', { scope: 'col' }, t('items')),
            h('th', { scope: 'col', class: 'num' }, t('quantity')),
            h('th', { scope: 'col', class: 'num' }, t('price')),
            h('th', { scope: 'col', class: 'num' }, t('lineTotal')),
          ]),
        ),
        h(
          'tbody',
          null,
          order.items.map(({ name, quantity, price }) =>
            h('tr', null, [
              h('th', { scope: 'row' }, name),
              h('td', { class: 'num' }, numberText(quantity, language.value)),
              h('td', { class: 'num' }, amount(price)),
              h('td', { class: 'num' }, amount(quantity * price)),
            ]),
          ),
        ),
        h('tfoot', null, [
          together !== null && last(t('itemsTogether'), together),
          last(t('total'), order.totalAmount),
          isDifferent && last(t('inNoItem'), sumOf([order.totalAmount, -(together ?? 0)]), true),
        ]),
      ]),
    ),
  )
}
