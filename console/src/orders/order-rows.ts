/** The orders of a period as a table, with filters by status and payment that are part of the address. */
import { type ComponentChild, h } from 'preact'
import type { OrderControlAnswer } from '../../../client/src/index.ts'
import { writtenDay } from '../../../src/documents/days.ts'
import { GROUP_WORDS } from '../../../src/documents/month-rows.ts'
import { amountInColumn, amountText, numberText } from '../../../src/documents/numbers.ts'
import { nameOfOrder } from '../../../src/documents/order-name.ts'
import { to } from '../base/routes.ts'
import { language, may, words } from '../base/signed-in.ts'
import { LinkedGuests } from '../guest/linked-guests.ts'
import type { Period } from './period.ts'

type Listed = NonNullable<OrderControlAnswer['listed']>[number]

/** What is shown of the period. Empty: everything. */
export interface OrderFilters {
  readonly group?: Listed['group'] | undefined
  readonly status?: string | undefined
  readonly paymentStatus?: string | undefined
}

export const isGroup = (text: string): text is Listed['group'] => Object.hasOwn(GROUP_WORDS, text)

/** The same as the service's filters of these names. */
export const shownOf = (listed: readonly Listed[], { group, status, paymentStatus }: OrderFilters) =>
  listed.filter(
    (order) =>
      (group === undefined || order.group === group) &&
      (status === undefined || order.status === status) &&
      (paymentStatus === undefined || order.paymentStatus === paymentStatus),
  )

export interface OrderRowsProps {
  readonly of: OrderControlAnswer
  readonly period: Period
  readonly filters: OrderFilters
}

export function OrderRows({ of, period, filters }: OrderRowsProps): ComponentChild {
  const t = words.value
  const name = language.value
  const listed = of.listed ?? []
  const shown = shownOf(listed, filters)
  return h('section', { class: 'block' }, [
    h('h2', null, t('orders')),
    h(Filters, { of, period, filters }),
    h(
      'div',
      { class: 'count' },
      h('p', { role: 'status' }, [
        h('b', null, numberText(shown.length, name)),
        shown.length < of.orders && ` / ${numberText(of.orders, name)}`,
        ...chosenLabels(listed, filters).map((label) => `, ${label}`),
      ]),
    ),
    listed.length < of.orders && h('p', { class: 'say' }, t('firstRows', { n: listed.length })),
    shown.length === 0
      ? h('p', { class: 'say' }, t('noSuchOrders'))
      : h(
          'div',
          { class: 'rows', tabIndex: 0, role: 'region', 'aria-label': t('orders') },
          h('table', null, [
            h('caption', { class: 'vh' }, t('orders')),
            h(
              'thead',
              null,
              h('tr', null, [
                h('th', { scope: 'col' }, t('order')),
                h('th', { scope: 'col' }, t('date')),
                h('th', { scope: 'col' }, t('guests')),
                h('th', { scope: 'col', class: 'num' }, t('total')),
                h('th', { scope: 'col', class: 'num' }, t('paidColumn')),
                h('th', { scope: 'col', class: 'num' }, t('openColumn')),
                h('th', { scope: 'col' }, t('status')),
                h('th', { scope: 'col' }, t('payment')),
              ]),
            ),
            h(
              'tbody',
              null,
              shown.map((order) => h(Row, { order, period, filters, key: order.uuid })),
            ),
          ]),
        ),
  ])
}

interface RowProps {
  readonly order: Listed
  readonly period: Period
  readonly filters: OrderFilters
}

function Row({ order, period, filters }: RowProps): ComponentChild {
  const t = words.value
  const name = language.value
  const money = (value: number | null) =>
    value !== null
      ? amountInColumn(value, order.currency, name)
      : may('guests.financial')
        ? '–'
        : h('i', null, t('notPermitted'))
  const isOpen = (order.open ?? 0) > 0
  return h('tr', { class: order.group === 'void' ? 'out' : undefined }, [
    h(
      'th',
      { scope: 'row' },
      h('a', { href: to('orders/one', { uuid: order.uuid, ...period, ...filters }) }, nameOfOrder(order)),
    ),
    h('td', null, writtenDay(order.date, name)),
    h('td', { class: 'wraps' }, h(LinkedGuests, { guests: order.guests })),
    h('td', { class: 'num' }, amountText(order.total, order.currency, name, 'code')),
    h('td', { class: 'num' }, money(order.paid)),
    h('td', { class: 'num' }, isOpen ? h('b', null, money(order.open)) : money(order.open)),
    h('td', null, order.statusLabel),
    h('td', null, order.paymentStatusLabel ?? '–'),
  ])
}

/** Choosing changes the address, so that “Back” and a saved address have the filters. */
function Filters({ of, period, filters }: OrderRowsProps): ComponentChild {
  const t = words.value
  const listed = of.listed ?? []
  const statuses = choicesOf(listed.map(({ status, statusLabel }) => [status, statusLabel]))
  const payments = choicesOf(
    listed.flatMap(({ paymentStatus, paymentStatusLabel }) =>
      paymentStatus === null ? [] : [[paymentStatus, paymentStatusLabel ?? paymentStatus] as const],
    ),
  )
  const go = (changed: OrderFilters) => {
    location.hash = to('orders', { ...period, ...filters, ...changed })
  }
  const chosen =
    filters.group !== undefined
      ? `group ${filters.group}`
      : filters.status !== undefined
        ? `status ${filters.status}`
        : ''
  const chooseStatus = (value: string) => {
    const [kind, rest] = [value.slice(0, value.indexOf(' ')), value.slice(value.indexOf(' ') + 1)]
    go({
      group: kind === 'group' && isGroup(rest) ? rest : undefined,
      status: kind === 'status' ? rest : undefined,
    })
  }
  const option = (value: string, label: string, now: string) =>
    h('option', { value, selected: value === now, key: value }, label)
  return h('form', { class: 'filters', onSubmit: (event: Event) => event.preventDefault() }, [
    h('label', null, [
      t('status'),
      h('select', { value: chosen, onChange: (event: Event) => chooseStatus(chosenIn(event)) }, [
        option('', t('all'), chosen),
        Object.entries(GROUP_WORDS).map(([group, word]) => option(`group ${group}`, t(word), chosen)),
        h(
          'optgroup',
          { label: t('status') },
          statuses.map(([status, label]) => option(`status ${status}`, label, chosen)),
        ),
      ]),
    ]),
    h('label', null, [
      t('payment'),
      h(
        'select',
        {
          value: filters.paymentStatus ?? '',
          onChange: (event: Event) => go({ paymentStatus: chosenIn(event) || undefined }),
        },
        [
          option('', t('anyPayment'), filters.paymentStatus ?? ''),
          payments.map(([status, label]) => option(status, label, filters.paymentStatus ?? '')),
        ],
      ),
    ]),
  ])
}

const chosenIn = ({ currentTarget }: Event): string =>
  currentTarget instanceof HTMLSelectElement ? currentTarget.value : ''

/** The filters in words: paper has no fields. */
function chosenLabels(listed: readonly Listed[], { group, status, paymentStatus }: OrderFilters): string[] {
  const label = listed.find((order) => order.status === status)?.statusLabel ?? status
  const ofPayment =
    listed.find((order) => order.paymentStatus === paymentStatus)?.paymentStatusLabel ?? paymentStatus
  return [
    group === undefined ? undefined : words.value(GROUP_WORDS[group]),
    status && label,
    paymentStatus && ofPayment,
  ].flatMap((text) => (text === undefined || text === '' ? [] : [text]))
}

/** Each once, by label. */
const choicesOf = (pairs: readonly (readonly [value: string, label: string])[]) =>
  [...new Map(pairs)].sort(([, a], [, b]) => a.localeCompare(b, language.value))
