/** Orders of the guests of a day that are not paid, in words: amounts are on the page of an order. */
import { type ComponentChild, h } from 'preact'
import { writtenShort } from '../../../src/documents/days.ts'
import { numberText } from '../../../src/documents/numbers.ts'
import { isLeaving } from '../base/presence.ts'
import { to } from '../base/routes.ts'
import { language, may, words } from '../base/signed-in.ts'
import { linkedGuest } from '../guest/guest-link.ts'
import { isNotPaid } from '../guest/paid.ts'
import { paidText } from '../guest/paid-text.ts'
import { today } from '../kitchen/kitchen-reading.ts'
import type { DayGuest } from './day-guests.ts'
import { OrderOf } from './order-of.ts'

interface NotPaidProps {
  readonly day: string
  readonly guests: readonly DayGuest[]
}

export function NotPaid({ day, guests }: NotPaidProps): ComponentChild {
  const t = words.value
  // Not by the guests: on a day without any, nothing looks paid either.
  const isPermitted = may('guests.paid')
  const orders = ordersOf(guests)
  const count = numberText(orders.length, language.value)
  return h('section', { class: 'block' }, [
    h('h2', null, [
      t('notPaid'),
      isPermitted && [' ', h('span', { class: 'then' }, t('ordersOfGuests', { n: count }))],
    ]),
    isPermitted ? h(Known, { day, guests, orders }) : h('p', { class: 'withheld' }, t('paidNotPermitted')),
  ])
}

interface KnownProps extends NotPaidProps {
  readonly orders: readonly (readonly DayGuest[])[]
}

function Known({ day, guests, orders }: KnownProps): ComponentChild {
  const t = words.value
  const notKnown = guests.filter(({ paid }) => paid.state === null).length
  return [
    orders.length === 0
      ? h('p', null, t('nothingIsOpen'))
      : h(
          'div',
          { class: 'scroll', tabIndex: 0, role: 'region', 'aria-label': t('notPaid') },
          h('table', { class: 'lines' }, [
            h('caption', { class: 'vh' }, t('notPaid')),
            h(
              'thead',
              null,
              h('tr', null, [
                h('th', { scope: 'col' }, t('order')),
                h('th', { scope: 'col' }, t('guests')),
                h('th', { scope: 'col' }, t('until')),
                h('th', { scope: 'col' }, t('paidColumn')),
              ]),
            ),
            h(
              'tbody',
              null,
              orders.map((of) => h(Line, { of, day, key: of[0]?.id })),
            ),
          ]),
        ),
    notKnown > 0 &&
      h('p', { class: 'small' }, t('paidNotKnownOf', { n: numberText(notKnown, language.value) })),
    h('p', { class: 'small soft' }, [
      t('amountsNotHere'),
      ' ',
      h(
        'a',
        {
          href: to('guests', {
            inHouse: day === today() ? 'today' : day,
            paid: 'open,partlyPaid,notDecided',
          }),
        },
        t('asList'),
      ),
    ]),
  ]
}

function Line({ of, day }: { readonly of: readonly DayGuest[]; readonly day: string }): ComponentChild {
  const [first] = of
  if (first === undefined) return null
  return h('tr', null, [
    h('th', { scope: 'row', class: 'whole' }, h(OrderOf, { guest: first })),
    h(
      'td',
      null,
      h(
        'ul',
        null,
        of.map(({ id, name }) => h('li', { key: id }, linkedGuest(id, name))),
      ),
    ),
    h(
      'td',
      null,
      isLeaving(first, day)
        ? h('b', null, words.value('thisDay'))
        : writtenShort(first.until, language.value),
    ),
    h('td', null, paidText(first.paid)),
  ])
}

/** The guests of each order that is not paid, those who leave first at the beginning; a guest without an order is alone. */
function ordersOf(guests: readonly DayGuest[]): readonly (readonly DayGuest[])[] {
  const orders = new Map<string, DayGuest[]>()
  const open = guests.filter(({ paid }) => isNotPaid(paid))
  for (const guest of open.toSorted((a, b) => a.until.localeCompare(b.until))) {
    const key = guest.orderUuid === null ? `guest ${guest.id}` : `order ${guest.orderUuid}`
    orders.set(key, [...(orders.get(key) ?? []), guest])
  }
  return [...orders.values()]
}
