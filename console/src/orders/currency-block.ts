/** The totals of one currency: by status as a table, by day as bars with a table for those who do not see them. */
import { type ComponentChild, h } from 'preact'
import { amountText, numberText, writtenDay } from '../base/days.ts'
import { language, words } from '../base/signed-in.ts'
import { type CurrencyTotals, daysFrom } from './totals.ts'

export interface CurrencyBlockProps {
  readonly of: CurrencyTotals
  readonly startDate: string
  readonly endDate: string
}

/** More bars than this cannot be told apart. */
const BARS_MAX = 92

export function CurrencyBlock({ of, startDate, endDate }: CurrencyBlockProps): ComponentChild {
  const t = words.value
  const name = language.value
  const amount = (value: number) => amountText(value, of.currency, name)
  const days = daysFrom(startDate, endDate, BARS_MAX)
  const amounts = days.map((day) => of.byDay.get(day)?.amount ?? 0)
  const most = Math.max(1, ...amounts)
  return h('section', { class: 'block' }, [
    h('h2', null, amountText(of.amount, of.currency, name, 'code')),
    h('table', { class: 'lines' }, [
      h('caption', { class: 'vh' }, `${of.currency}: ${t('status')}`),
      h(
        'thead',
        null,
        h('tr', null, [
          h('th', { scope: 'col' }, t('status')),
          h('th', { scope: 'col', class: 'num' }, t('orders')),
          h('th', { scope: 'col', class: 'num' }, t('total')),
        ]),
      ),
      h(
        'tbody',
        null,
        [...of.byStatus].map(([status, sum]) =>
          h('tr', null, [
            h('th', { scope: 'row' }, status),
            h('td', { class: 'num' }, numberText(sum.count, name)),
            h('td', { class: 'num' }, amount(sum.amount)),
          ]),
        ),
      ),
      h(
        'tfoot',
        null,
        h('tr', null, [
          h('th', { scope: 'row' }, t('total')),
          h('td', { class: 'num' }, numberText(of.count, name)),
          h('td', { class: 'num' }, amount(of.amount)),
        ]),
      ),
    ]),
    h(
      'div',
      {
        class: 'spark',
        role: 'img',
        'aria-label': `${of.currency}: ${t('byDay')}`,
        style: { gridTemplateColumns: `repeat(${days.length}, minmax(0, 1fr))` },
      },
      days.map((day, at) =>
        h('i', {
          key: day,
          title: `${writtenDay(day, name)}: ${amount(amounts[at] ?? 0)}`,
          style: { height: `${((amounts[at] ?? 0) / most) * 100}%` },
        }),
      ),
    ),
    h('p', { class: 'axis' }, [
      h('span', null, writtenDay(days[0] ?? startDate, name)),
      h('span', null, writtenDay(days.at(-1) ?? endDate, name)),
    ]),
    h('details', { class: 'more' }, [
      h('summary', null, t('byDay')),
      h('table', { class: 'lines' }, [
        h(
          'thead',
          null,
          h('tr', null, [
            h('th', { scope: 'col' }, t('day')),
            h('th', { scope: 'col', class: 'num' }, t('orders')),
            h('th', { scope: 'col', class: 'num' }, t('total')),
          ]),
        ),
        h(
          'tbody',
          null,
          [...of.byDay].map(([day, sum]) =>
            h('tr', null, [
              h('th', { scope: 'row' }, writtenDay(day, name)),
              h('td', { class: 'num' }, numberText(sum.count, name)),
              h('td', { class: 'num' }, amount(sum.amount)),
            ]),
          ),
        ),
      ]),
    ]),
  ])
}
