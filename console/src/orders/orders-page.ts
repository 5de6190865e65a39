/** Orders for closing a month: what does not fit first, then totals by status and currency, then every order. */
import { type ComponentChild, h } from 'preact'
import type { OrderControlAnswer } from '../../../client/src/index.ts'
import { isDay, writtenDay } from '../../../src/documents/days.ts'
import { statusesNotDecided } from '../../../src/documents/month-rows.ts'
import { numberText } from '../../../src/documents/numbers.ts'
import { notUnderstood } from '../base/address.ts'
import type { PageProps } from '../base/page.ts'
import { dayIn } from '../base/relative-days.ts'
import { useResource } from '../base/resource.ts'
import { to } from '../base/routes.ts'
import { language, may, words } from '../base/signed-in.ts'
import { useTitle } from '../base/title.ts'
import { DataFoot } from '../frame/data-age.ts'
import { NotUnderstood } from '../frame/not-understood.ts'
import { State } from '../frame/states.ts'
import { today } from '../kitchen/kitchen-reading.ts'
import { SavedViews } from '../views/saved-views.ts'
import { Mismatches } from './mismatches.ts'
import { MonthTable } from './month-table.ts'
import { OrderDownload } from './order-download.ts'
import { isGroup, type OrderFilters, OrderRows } from './order-rows.ts'
import { isPeriod, monthAfter, monthBefore, monthOf, nameOfPeriod, type Period } from './period.ts'

const isDayOfAddress = (text: string) => dayIn(text, today()) !== undefined

const UNDERSTOOD = {
  startDate: isDayOfAddress,
  endDate: isDayOfAddress,
  group: isGroup,
  status: () => true,
  paymentStatus: () => true,
}

export function OrdersPage({ query }: PageProps): ComponentChild {
  const t = words.value
  const name = language.value
  const asked = periodIn(query)
  const isGiven = isPeriod(asked)
  const period = isGiven ? asked : monthOf(today())
  const filters = filtersOf(query)
  const reader = useResource(
    (sojourn, signal) =>
      sojourn.orders.control(
        {
          ...period,
          includeGuestNames: true,
          includeOrders: true,
          ...(may('guests.financial') ? { includePayments: true } : {}),
        },
        { signal },
      ),
    [JSON.stringify(period)],
  )
  const reading = reader.state.value
  const control = reading.value
  const title = nameOfPeriod(t, period, name)
  useTitle(`${t('orders')} ${title}`)
  const isRefused = !isGiven && (query.startDate !== undefined || query.endDate !== undefined)
  return h('div', null, [
    h('div', { class: 'head' }, [
      h('div', null, [
        h('h1', null, [t('orders'), ' ', h('span', null, title)]),
        h(
          'p',
          { class: 'sub' },
          `${writtenDay(period.startDate, name)} – ${writtenDay(period.endDate, name)}`,
        ),
        h(Months, { period, filters }),
      ]),
      h('div', { class: 'acts' }, h(OrderDownload, { period, filters })),
    ]),
    h(OtherDays, { ...period, key: JSON.stringify(period) }),
    h(SavedViews, { path: 'orders', query: addressOf(query, isGiven, period, filters) }),
    h(
      'div',
      { class: 'count' },
      h('span', { role: 'status' }, [
        h('b', null, control === undefined ? '–' : numberText(control.orders, name)),
        ` ${t('inAll')}`,
      ]),
    ),
    h(NotUnderstood, {
      parts: isRefused ? partsOf(query) : notUnderstood(query, UNDERSTOOD),
    }),
    isRefused &&
      isDay(asked.startDate) &&
      isDay(asked.endDate) &&
      h('p', { class: 'say' }, t('rangeTooLong')),
    h(State, { reading, reader }),
    control && h(Closing, { control, period, filters }),
    h(DataFoot, { reading, kind: 'orders' }),
  ])
}

interface ClosingProps {
  readonly control: OrderControlAnswer
  readonly period: Period
  readonly filters: OrderFilters
}

function Closing({ control, period, filters }: ClosingProps): ComponentChild {
  const t = words.value
  if (control.orders === 0) {
    return h('div', null, [
      h('p', { class: 'say' }, h('b', null, t('noOrders'))),
      control.looseDeposits > 0 && h(Mismatches, { control, range: period }),
    ])
  }
  const { status, paymentStatus } = control.statusesNotDecided
  const notDecided = [...status, ...paymentStatus]
  return h('div', { class: 'closing' }, [
    h(Mismatches, { control, range: period }),
    h('p', { class: 'soft small' }, [
      t('lookedAtOrders'),
      ' ',
      t(control.notChecked.length > 0 ? 'paymentsNotChecked' : 'lookedAtPayments'),
    ]),
    notDecided.length > 0 &&
      h(
        'p',
        { class: 'say', role: 'note' },
        t('statusesNotDecided', { names: statusesNotDecided(control).join(', ') }),
      ),
    h(MonthTable, { of: control }),
    h(OrderRows, { of: control, period, filters }),
  ])
}

interface MonthsProps {
  readonly period: Period
  readonly filters: OrderFilters
}

function Months({ period, filters }: MonthsProps): ComponentChild {
  const t = words.value
  const now = today()
  const year = { startDate: `${now.slice(0, 4)}-01-01`, endDate: now }
  const link = (days: Period, text: string) =>
    h(
      'a',
      {
        href: to('orders', { ...days, ...filters }),
        'aria-current':
          days.startDate === period.startDate && days.endDate === period.endDate ? 'page' : undefined,
      },
      text,
    )
  const named = (days: Period) => link(days, nameOfPeriod(t, days, language.value))
  return h('nav', { class: 'days', 'aria-label': t('otherDays') }, [
    link(monthOf(monthBefore(now)), t('lastMonth')),
    link(monthOf(now), t('thisMonth')),
    named(monthOf(monthBefore(period.startDate))),
    monthAfter(period.startDate) <= now && named(monthOf(monthAfter(period.startDate))),
    link(year, t('thisYear')),
  ])
}

function OtherDays({ startDate, endDate }: Period): ComponentChild {
  const t = words.value
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    if (!(event.currentTarget instanceof HTMLFormElement)) return
    const form = new FormData(event.currentTarget)
    location.hash = to('orders', {
      startDate: String(form.get('startDate')),
      endDate: String(form.get('endDate')),
    })
  }
  return h('details', { class: 'more other' }, [
    h('summary', null, t('otherDays')),
    h('form', { class: 'filters', onSubmit: submit }, [
      h('label', null, [
        t('from'),
        h('input', { type: 'date', name: 'startDate', required: true, defaultValue: startDate }),
      ]),
      h('label', null, [
        t('to'),
        h('input', { type: 'date', name: 'endDate', required: true, defaultValue: endDate }),
      ]),
      h('button', { type: 'submit' }, t('show')),
    ]),
  ])
}

/** The days of the address; a text that is not a day is returned unchanged. */
function periodIn({ startDate = '', endDate = '' }: PageProps['query']): Period {
  const dayOf = (text: string) => dayIn(text, today()) ?? text
  return { startDate: dayOf(startDate), endDate: dayOf(endDate) }
}

/** What is shown, with the days as the address has them, relative or not. */
function addressOf(
  { startDate = '', endDate = '' }: PageProps['query'],
  isGiven: boolean,
  period: Period,
  filters: OrderFilters,
): Record<string, string> {
  const days = isGiven ? { startDate, endDate } : period
  const chosen = Object.entries(filters).filter((entry): entry is [string, string] => Boolean(entry[1]))
  return { ...days, ...Object.fromEntries(chosen) }
}

/** Those of the address that the page understands. */
const filtersOf = ({ group, status, paymentStatus }: PageProps['query']): OrderFilters => ({
  ...(group !== undefined && isGroup(group) ? { group } : {}),
  ...(status ? { status } : {}),
  ...(paymentStatus ? { paymentStatus } : {}),
})

/** Both days are left out where they are no range. */
const partsOf = (query: PageProps['query']) =>
  Object.entries(query).map(([name, value]) => `${name}=${value}`)
