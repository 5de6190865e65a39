/** The order of the stay and what is paid of it, as far as the key may read it. */
import { type ComponentChild, h } from 'preact'
import type { Order } from '../../../client/src/index.ts'
import { amountText } from '../base/days.ts'
import { useResource } from '../base/resource.ts'
import { to } from '../base/routes.ts'
import { language, may, words } from '../base/signed-in.ts'
import { State } from '../frame/states.ts'
import { sumOf } from '../orders/order-payments.ts'
import { type Stay, textAt } from './stays-reading.ts'

export function GuestOrder({ stay }: { readonly stay: Stay }): ComponentChild {
  const t = words.value
  const uuid = textAt(stay, 'orderUuid')
  const name = textAt(stay, 'orderNumber') || uuid
  const link = may('orders') ? h('a', { href: to('orders/one', { uuid }) }, name) : name
  return h('section', { class: 'block' }, [
    h('h2', null, uuid === '' ? t('order') : [t('order'), ' ', h('span', { class: 'then' }, link)]),
    uuid === ''
      ? h('p', null, t('guestWithoutOrder'))
      : may('orders')
        ? h(ReadOrder, { uuid })
        : h('dl', { class: 'bits' }, [
            h('dt', null, t('status')),
            h('dd', null, textAt(stay, 'orderStatus') || '–'),
            h('dt', null, t('payment')),
            h('dd', { class: 'withheld' }, t('orderNotPermitted')),
          ]),
  ])
}

function ReadOrder({ uuid }: { readonly uuid: string }): ComponentChild {
  const t = words.value
  const withPayments = may('guests.financial')
  const reader = useResource(
    (sojourn, signal) =>
      sojourn.orders.get(
        uuid,
        { includeGuestNames: true, includeLabels: true, includePayments: withPayments },
        { signal },
      ),
    [uuid],
  )
  const reading = reader.state.value
  const order = reading.value
  return h('div', null, [
    h(State, { reading, reader }),
    order === undefined &&
      reading.problem === undefined &&
      h('p', { class: 'soft', role: 'status' }, t('loading')),
    order && h(Facts, { order, withPayments }),
  ])
}

function Facts({
  order,
  withPayments,
}: {
  readonly order: Order
  readonly withPayments: boolean
}): ComponentChild {
  const t = words.value
  const amount = (value: number) => amountText(value, order.currency, language.value)
  const paid = sumOf((order.payments ?? []).map((payment) => payment.amount))
  const facts: readonly (readonly [string, ComponentChild])[] = [
    [t('payment'), h('b', null, order.labels?.paymentStatus ?? t('paymentStatusUnknown'))],
    [t('status'), order.labels?.status ?? '–'],
    [t('total'), amount(order.totalAmount)],
    ...(withPayments && order.payments !== undefined
      ? ([
          [t('paidAmount'), order.payments.length === 0 ? t('noPayments') : amount(paid)],
          [t('openAmount'), h('b', null, amount(sumOf([order.totalAmount, -paid])))],
        ] as const)
      : ([[t('paymentsAndDeposits'), h('span', { class: 'withheld' }, t('paymentsNotPermitted'))]] as const)),
    [t('guests'), (order.guestNames ?? []).join(', ') || '–'],
  ]
  return h(
    'dl',
    { class: 'bits' },
    facts.flatMap(([name, text]) => [h('dt', null, name), h('dd', null, text)]),
  )
}
