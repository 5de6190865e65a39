/** Orders of a range: totals by currency, status and day, and every order. */
import { type ComponentChild, h } from 'preact'
import { useMemo } from 'preact/hooks'
import type { ListedOrder } from '../../../client/src/index.ts'
import { notUnderstood } from '../base/address.ts'
import { addDays, daysBetween, isDay, localTime, numberText, writtenDay } from '../base/days.ts'
import { useResource } from '../base/resource.ts'
import { to } from '../base/routes.ts'
import { language, may, words } from '../base/signed-in.ts'
import { useTitle } from '../base/title.ts'
import { DataFoot } from '../frame/data-age.ts'
import { NotUnderstood } from '../frame/not-understood.ts'
import type { PageProps } from '../frame/pages.ts'
import { State } from '../frame/states.ts'
import { today, zone } from '../kitchen/kitchen-reading.ts'
import { CurrencyBlock } from './currency-block.ts'
import { type Range as Days, Mismatches } from './mismatches.ts'
import { nameOfOrder, totalsOf } from './totals.ts'

const DAYS = 30
const CONTROL_DAYS_MAX = 366
/** More rows than this are not read by anybody; the totals count all of them. */
const ROWS_MAX = 500

const UNDERSTOOD = { startDate: isDay, endDate: isDay }
/** Both days are left out where they are no range. */
const partsOf = (query: PageProps['query']) =>
  Object.entries(query).map(([name, value]) => `${name}=${value}`)

export function OrdersPage({ query }: PageProps): ComponentChild {
  const t = words.value
  const name = language.value
  const { startDate = '', endDate = '' } = query
  const isGiven = isDay(startDate) && isDay(endDate) && startDate <= endDate
  const range = {
    startDate: isGiven ? startDate : addDays(today(), 1 - DAYS),
    endDate: isGiven ? endDate : today(),
  }
  const asked = JSON.stringify(range)
  const reader = useResource(
    async (sojourn, signal) => {
      const payments = may('guests.financial') ? { includePayments: true } : {}
      const [orders, control] = await Promise.all([
        sojourn.orders.list(range, { signal }),
        // A longer range is added up all the same.
        daysBetween(range.startDate, range.endDate) < CONTROL_DAYS_MAX
          ? sojourn.orders.control({ ...range, ...payments }, { signal })
          : undefined,
      ])
      return { orders, control }
    },
    [asked],
  )
  const reading = reader.state.value
  const orders = reading.value?.orders
  const control = reading.value?.control
  const totals = useMemo(() => totalsOf(orders ?? [], (moment) => localTime(moment, zone()).day), [orders])
  const days = `${writtenDay(range.startDate, name)} – ${writtenDay(range.endDate, name)}`
  useTitle(`${t('orders')} ${days}`)
  return h('div', null, [
    h('div', { class: 'head' }, h('h1', null, [t('orders'), ' ', h('span', null, days)])),
    h(Range, { ...range, key: asked }),
    h(
      'div',
      { class: 'count' },
      h('span', { role: 'status' }, [
        h('b', null, orders === undefined ? '–' : numberText(orders.length, name)),
        ` ${t('inAll')}`,
      ]),
    ),
    h(NotUnderstood, { parts: isGiven ? notUnderstood(query, UNDERSTOOD) : partsOf(query) }),
    h(State, { reading, reader }),
    control && orders !== undefined && orders.length > 0 && h(Mismatches, { control, range }),
    orders?.length === 0 && h('p', { class: 'say' }, h('b', null, t('noOrders'))),
    h(
      'div',
      { class: 'cols' },
      totals.map((of) => h(CurrencyBlock, { of, ...range, key: of.currency })),
    ),
    orders !== undefined && orders.length > 0 && h(OrderTable, { orders, range }),
    h(DataFoot, { reading, kind: 'orders' }),
  ])
}

function Range({
  startDate,
  endDate,
}: {
  readonly startDate: string
  readonly endDate: string
}): ComponentChild {
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
  return h('form', { class: 'filters', onSubmit: submit }, [
    h('label', null, [
      t('from'),
      h('input', { type: 'date', name: 'startDate', required: true, defaultValue: startDate }),
    ]),
    h('label', null, [
      t('to'),
      h('input', { type: 'date', name: 'endDate', required: true, defaultValue: endDate }),
    ]),
    h('button', { type: 'submit' }, t('show')),
  ])
}

interface OrderTableProps {
  readonly orders: readonly ListedOrder[]
  readonly range: Days
}

function OrderTable({ orders, range }: OrderTableProps): ComponentChild {
  const t = words.value
  return h('section', { class: 'block' }, [
    h('h2', null, t('orders')),
    orders.length > ROWS_MAX && h('p', { class: 'soft' }, t('firstRows', { n: ROWS_MAX })),
    h(
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
            h('th', { scope: 'col' }, t('status')),
            h('th', { scope: 'col' }, t('payment')),
            h('th', { scope: 'col', class: 'num' }, t('total')),
          ]),
        ),
        h(
          'tbody',
          null,
          orders
            .slice(0, ROWS_MAX)
            .map((order) =>
              h('tr', { key: order.uuid }, [
                h(
                  'th',
                  { scope: 'row' },
                  h('a', { href: to('orders/one', { uuid: order.uuid, ...range }) }, nameOfOrder(order)),
                ),
                h('td', null, writtenDay(localTime(order.ids.orderDate, zone()).day, language.value)),
                h('td', null, order.status),
                h('td', null, order.paymentStatus ?? '–'),
                h('td', { class: 'num' }, order.totalAmount),
              ]),
            ),
        ),
      ]),
    ),
  ])
}
