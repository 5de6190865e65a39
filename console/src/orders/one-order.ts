/** One order in full, with its guests. */
import { type ComponentChild, h } from 'preact'
import type { Order } from '../../../client/src/index.ts'
import { amountText, localTime, numberText, writtenDay } from '../base/days.ts'
import { useResource } from '../base/resource.ts'
import { to } from '../base/routes.ts'
import { language, words } from '../base/signed-in.ts'
import { useTitle } from '../base/title.ts'
import type { PageProps } from '../frame/pages.ts'
import { Foot, State } from '../frame/states.ts'
import { zone } from '../kitchen/kitchen-reading.ts'

export function OneOrder({ query }: PageProps): ComponentChild {
  const t = words.value
  const { uuid = '' } = query
  const reader = useResource(
    (sojourn, signal) => sojourn.orders.get(uuid, { includeGuestNames: true }, { signal }),
    [uuid],
  )
  const reading = reader.state.value
  const order = reading.value
  useTitle(`${t('order')} ${order?.orderNumber ?? uuid}`)
  return h('div', null, [
    h(
      'div',
      { class: 'head' },
      h('div', null, [
        h('h1', null, [
          t('order'),
          ' ',
          h('span', null, order?.orderNumber ?? (order === undefined ? '' : order.uuid)),
        ]),
        h('nav', { class: 'days', 'aria-label': t('orders') }, h('a', { href: to('orders') }, t('orders'))),
      ]),
    ),
    h(State, { reading, reader }),
    order && h('div', { class: 'cols order' }, [h(Facts, { order }), h(Items, { order })]),
    h(Foot, { reading, isStill: true }),
  ])
}

function Facts({ order }: { readonly order: Order }): ComponentChild {
  const t = words.value
  const { billingAddress: address } = order
  const written = [address.street, [address.zip, address.city].filter(Boolean).join(' '), address.country]
  const facts: readonly (readonly [string, string])[] = [
    [t('date'), writtenDay(localTime(order.orderDate, zone()).day, language.value)],
    // One order is raw: the words of its states stand in the list.
    [t('status'), order.status],
    [t('payment'), [order.paymentStatus, order.paymentMethod].filter(Boolean).join(', ')],
    [t('guests'), (order.guestNames ?? []).join(', ')],
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
  return h(
    'section',
    { class: 'block' },
    h('table', { class: 'lines' }, [
      h('caption', { class: 'vh' }, t('items')),
      h(
        'thead',
        null,
        h('tr', null, [
          h('th', { scope: 'col' }, t('items')),
          h('th', { scope: 'col', class: 'num' }, t('quantity')),
          h('th', { scope: 'col', class: 'num' }, t('price')),
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
          ]),
        ),
      ),
      h(
        'tfoot',
        null,
        h('tr', null, [
          h('th', { scope: 'row', colSpan: 2 }, t('total')),
          h('td', { class: 'num' }, amount(order.totalAmount)),
        ]),
      ),
    ]),
  )
}
