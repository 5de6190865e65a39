/** The order of the stay and what is paid of it, as far as the key may read it. */
import { type ComponentChild, h } from 'preact'
import type { Order } from '../../../client/src/index.ts'
import { amountText } from '../../../src/documents/numbers.ts'
import { sumOf } from '../../../src/documents/sum-of.ts'
import { useResource } from '../base/resource.ts'
import { to } from '../base/routes.ts'
import { language, may, words } from '../base/signed-in.ts'
import { State } from '../frame/states.ts'
import { LinkedGuests } from './linked-guests.ts'
import { paidOf } from './paid.ts'
import { paidText } from './paid-text.ts'
import { type Stay, textAt } from './stays-reading.ts'

export function GuestOrder({ stay }: { readonly stay: Stay }): ComponentChild {
  const t = words.value
  const uuid = textAt(stay, 'orderUuid')
  const name = textAt(stay, 'orderNumber') || uuid
  const link = may('orders') ? h('a', { href: to('orders/one', { uuid }) }, name) : name
  return h('section', { class: 'block' }, [
    h('h2', null, uuid === '' ? t('order') : [t('order'), ' ', h('span', { class: 'then' }, link)]),
    h('dl', { class: 'bits' }, [h('dt', null, t('paidColumn')), h('dd', null, paidText(paidOf(stay.row)))]),
    uuid === ''
      ? h('p', null, t('guestWithoutOrder'))
      : may('orders')
        ? h(ReadOrder, { uuid, paid: paidOf(stay.row).label })
        : h('dl', { class: 'bits' }, [
            h('dt', null, t('status')),
            h('dd', null, textAt(stay, 'orderStatus') || '–'),
            h('dt', null, t('payment')),
            h('dd', { class: 'withheld' }, t('orderNotPermitted')),
          ]),
  ])
}

interface ReadOrderProps {
  readonly uuid: string
  /** what the page says of it already */
  readonly paid: string
}

function ReadOrder({ uuid, paid }: ReadOrderProps): ComponentChild {
  const t = words.value
  const withPayments = may('guests.financial')
  const reader = useResource(
    (sojourn, signal) =>
      sojourn.orders.get(
        uuid,
        { includeGuests: true, includeLabels: true, includePayments: withPayments },
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
    order && h(Facts, { order, withPayments, paid }),
  ])
}

interface FactsProps extends Pick<ReadOrderProps, 'paid'> {
  readonly order: Order
  readonly withPayments: boolean
}

function Facts({ order, withPayments, paid }: FactsProps): ComponentChild {
  const t = words.value
  const status = order.labels?.paymentStatus ?? t('paymentStatusUnknown')
  const facts: readonly (readonly [string, ComponentChild])[] = [
    ...(status === paid ? [] : ([[t('payment'), h('b', null, status)]] as const)),
    [t('status'), order.labels?.status ?? '–'],
    [t('total'), amountText(order.totalAmount, order.currency, language.value)],
    ...(withPayments && order.payments !== undefined
      ? moneyOf(order, order.payments)
      : ([[t('paymentsAndDeposits'), h('span', { class: 'withheld' }, t('paymentsNotPermitted'))]] as const)),
    [t('guests'), h(LinkedGuests, { guests: order.guests })],
  ]
  return h(
    'dl',
    { class: 'bits' },
    facts.flatMap(([name, text]) => [h('dt', null, name), h('dd', null, text)]),
  )
}

/** What is paid and open. Payments are in the center's currency: how much they pay of another one is not known. */
function moneyOf(
  order: Order,
  payments: NonNullable<Order['payments']>,
): (readonly [string, ComponentChild])[] {
  const t = words.value
  const amount = (value: number, currency: string) => amountText(value, currency, language.value)
  const [{ currency } = { currency: order.currency }] = payments
  const paid = sumOf(payments.map((payment) => payment.amount))
  const open = sumOf([order.totalAmount, -paid])
  return [
    [t('paidAmount'), payments.length === 0 ? t('noPayments') : amount(paid, currency)],
    currency !== order.currency
      ? [t('openAmount'), t('openOfOtherCurrency', { currency })]
      : open < 0
        ? [t('paidTooMuch'), h('b', null, amount(-open, currency))]
        : [t('openAmount'), h('b', null, amount(open, currency))],
  ]
}
