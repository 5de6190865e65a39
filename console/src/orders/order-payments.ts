/** The payments of an order. None, not permitted and not known are three different sentences. */
import { type ComponentChild, h } from 'preact'
import type { Order } from '../../../client/src/index.ts'
import { isDay, localTime, writtenDay } from '../../../src/documents/days.ts'
import { amountText } from '../../../src/documents/numbers.ts'
import { sumOf } from '../../../src/documents/sum-of.ts'
import { language, may, words } from '../base/signed-in.ts'
import { zone } from '../kitchen/kitchen-reading.ts'

type Payment = NonNullable<Order['payments']>[number]

export function Payments({ payments }: { readonly payments: Order['payments'] }): ComponentChild {
  const t = words.value
  return h('section', { class: 'block' }, [
    h('h2', null, t('paymentsAndDeposits')),
    !may('guests.financial')
      ? h('p', { class: 'say' }, t('paymentsNotPermitted'))
      : payments === undefined
        ? h('p', null, '–')
        : payments.length === 0
          ? h('p', null, t('noPayments'))
          : h(PaymentTable, { payments }),
  ])
}

function PaymentTable({ payments }: { readonly payments: readonly Payment[] }): ComponentChild {
  const t = words.value
  const { currency = '' } = payments[0] ?? {}
  const amount = (value: number) => amountText(value, currency, language.value)
  const heads = [t('date'), t('payment'), t('paidHow'), t('notes')]
  return h(
    'div',
    { class: 'scroll', tabIndex: 0, role: 'region', 'aria-label': t('paymentsAndDeposits') },
    h('table', { class: 'lines' }, [
      h('caption', { class: 'vh' }, t('paymentsAndDeposits')),
      h(
        'thead',
        null,
        h('tr', null, [
          heads.map((head) => h('th', { scope: 'col' }, head)),
          h('th', { scope: 'col', class: 'num' }, t('total')),
        ]),
      ),
      h(
        'tbody',
        null,
        payments.map((payment) =>
          h('tr', null, [
            h('th', { scope: 'row', class: 'whole' }, dayOf(payment.paidAt) ?? t('noDayRecorded')),
            h('td', null, t(payment.kind === 'deposit' ? 'deposit' : 'payment')),
            h('td', null, payment.paymentTypeLabel ?? '–'),
            h('td', null, payment.notes ?? '–'),
            h('td', { class: 'num' }, amount(payment.amount)),
          ]),
        ),
      ),
      h(
        'tfoot',
        null,
        h('tr', null, [
          h('th', { scope: 'row', colSpan: 4 }, t('together')),
          h('td', { class: 'num' }, amount(sumOf(payments.map((payment) => payment.amount)))),
        ]),
      ),
    ]),
  )
}

/** A day, or a moment in the center's zone. */
function dayOf(paidAt: string | null): string | undefined {
  if (paidAt === null) return undefined
  const day = isDay(paidAt) ? paidAt : localTime(paidAt, zone()).day
  return writtenDay(day, language.value)
}
