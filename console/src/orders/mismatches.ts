/** What does not fit, before anything else: a sentence for each problem, and the way to its order. */
import { type ComponentChild, h } from 'preact'
import type { OrderControlAnswer } from '../../../client/src/index.ts'
import { writtenDay } from '../../../src/documents/days.ts'
import { numberText } from '../../../src/documents/numbers.ts'
import { nameOfOrder } from '../../../src/documents/order-name.ts'
import { type Problem, problemTexts } from '../../../src/documents/problem-words.ts'
import { to } from '../base/routes.ts'
import { language, words } from '../base/signed-in.ts'
import { LinkedGuests } from '../guest/linked-guests.ts'
import type { Period } from './period.ts'

type Mismatch = OrderControlAnswer['mismatches'][number]

/** More rows than this are not read at once; the heading counts all of them. */
const ROWS_MAX = 100

export interface MismatchesProps {
  readonly control: OrderControlAnswer
  readonly range: Period
}

export function Mismatches({ control, range }: MismatchesProps): ComponentChild {
  const t = words.value
  const { doNotFit, looseDeposits, mismatches } = control
  if (doNotFit + looseDeposits === 0) return h('p', { class: 'say' }, t('everythingFits'))
  const n = (count: number) => numberText(count, language.value)
  return h('section', { class: 'wrong' }, [
    h('h2', null, t('doesNotFit', { n: n(doNotFit) })),
    looseDeposits > 0 && h('p', null, t('depositsWithoutOrder', { n: n(looseDeposits) })),
    mismatches.length > ROWS_MAX && h('p', { class: 'soft' }, t('firstRows', { n: ROWS_MAX })),
    mismatches.length > 0 &&
      h(
        'div',
        { class: 'rows', tabIndex: 0, role: 'region', 'aria-label': t('doesNotFit', { n: n(doNotFit) }) },
        h('table', null, [
          h('caption', { class: 'vh' }, t('doesNotFit', { n: n(doNotFit) })),
          h(
            'thead',
            null,
            h('tr', null, [
              h('th', { scope: 'col' }, t('order')),
              h('th', { scope: 'col' }, t('date')),
              h('th', { scope: 'col' }, t('what')),
              h('th', { scope: 'col', class: 'num' }, t('total')),
              h('th', { scope: 'col' }, t('status')),
              h('th', { scope: 'col' }, t('guests')),
            ]),
          ),
          h(
            'tbody',
            null,
            mismatches.slice(0, ROWS_MAX).map((order) => h(Row, { order, range, key: order.uuid })),
          ),
        ]),
      ),
  ])
}

export const sentencesOf = (problems: readonly Problem[], currency: string): string[] =>
  problemTexts(words.value, problems, currency, language.value)

function Row({ order, range }: { readonly order: Mismatch; readonly range: Period }): ComponentChild {
  return h('tr', null, [
    h(
      'th',
      { scope: 'row' },
      h('a', { href: to('orders/one', { uuid: order.uuid, ...range }) }, nameOfOrder(order)),
    ),
    h('td', null, writtenDay(order.date, language.value)),
    h('td', null, sentencesOf(order.problems, order.currency).join('. ')),
    h('td', { class: 'num' }, order.totalLabel),
    h('td', null, [order.statusLabel, order.paymentStatusLabel].filter(Boolean).join(', ')),
    h('td', { class: 'wraps' }, h(LinkedGuests, { guests: order.guests })),
  ])
}
