/** The totals of a period as a table, with a column for each currency. */
import { type ComponentChild, h } from 'preact'
import type { OrderControlAnswer } from '../../../client/src/index.ts'
import { type MonthRow, monthRows } from '../../../src/documents/month-rows.ts'
import { amountInColumn, amountText, numberText } from '../../../src/documents/numbers.ts'
import { language, may, words } from '../base/signed-in.ts'

type Currency = OrderControlAnswer['currencies'][number]

export function MonthTable({ of }: { readonly of: OrderControlAnswer }): ComponentChild {
  const t = words.value
  const other = of.paymentsInOtherCurrency
  const { currencies } = of
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
            currencies.map(({ currency }) => h('th', { scope: 'col', class: 'num' }, currency)),
            h('th', { scope: 'col', class: 'num' }, t('orders')),
          ]),
        ),
        h(
          'tbody',
          null,
          monthRows(t, of, may('guests.financial'), language.value).map((row) => h(Row, { row, currencies })),
        ),
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

interface RowProps {
  readonly row: MonthRow
  readonly currencies: readonly Currency[]
}

function Row({
  row: { kind, name, note, isVoid, isBold, amounts, orders },
  currencies,
}: RowProps): ComponentChild {
  if (kind === 'group') {
    return h('tr', { class: 'top' }, [
      h('th', { scope: 'rowgroup', colSpan: currencies.length + 2 }, [
        name,
        note !== undefined && [' ', h('span', { class: 'soft' }, note)],
      ]),
    ])
  }
  const text = (content: ComponentChild) => (isBold ? h('b', null, content) : content)
  return h('tr', { class: `${kind === 'sum' ? 'sub' : 'in'}${isVoid ? ' void' : ''}` }, [
    h('th', { scope: 'row' }, text(name)),
    ...(amounts === 'notPermitted'
      ? [h('td', { colSpan: currencies.length + 1, class: 'num' }, h('i', null, words.value('notPermitted')))]
      : [
          ...currencies.map(({ currency }, at) => {
            const amount = amounts[at]
            const written = amount === undefined ? '–' : amountInColumn(amount, currency, language.value)
            return h('td', { class: 'num' }, text(written))
          }),
          h('td', { class: 'num' }, orders === undefined ? '' : numberText(orders, language.value)),
        ]),
  ])
}
