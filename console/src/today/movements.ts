/** Who arrives or leaves on a day, with room, hour and order. */
import { type ComponentChild, h } from 'preact'
import { writtenDay } from '../../../src/documents/days.ts'
import { numberText } from '../../../src/documents/numbers.ts'
import { language, words } from '../base/signed-in.ts'
import { linkedGuest } from '../guest/guest-link.ts'
import { paidText } from '../guest/paid-text.ts'
import type { DayGuest } from './day-guests.ts'
import { OrderOf } from './order-of.ts'

interface MovementsProps {
  readonly guests: readonly DayGuest[]
  readonly way: 'arriving' | 'leaving'
}

export function Movements({ guests, way }: MovementsProps): ComponentChild {
  const t = words.value
  const isArriving = way === 'arriving'
  const title = t(isArriving ? 'arrive' : 'leave')
  return h('section', { class: 'block' }, [
    h('h2', null, [title, ' ', h('span', { class: 'then' }, numberText(guests.length, language.value))]),
    guests.length === 0
      ? h('p', { class: 'soft' }, t(isArriving ? 'nobodyArrives' : 'nobodyLeaves'))
      : h(
          'div',
          { class: 'scroll', tabIndex: 0, role: 'region', 'aria-label': title },
          h('table', { class: 'lines' }, [
            h('caption', { class: 'vh' }, title),
            h(
              'thead',
              null,
              h('tr', null, [
                h('th', { scope: 'col' }, t('guest')),
                h('th', { scope: 'col' }, t('room')),
                h('th', { scope: 'col' }, t('hour')),
                h('th', { scope: 'col', class: 'wide' }, t(isArriving ? 'until' : 'since')),
                h('th', { scope: 'col' }, t('order')),
                !isArriving && h('th', { scope: 'col' }, t('paidColumn')),
              ]),
            ),
            h(
              'tbody',
              null,
              guests.map((guest) => h(Line, { guest, isArriving, key: guest.id })),
            ),
          ]),
        ),
  ])
}

function Line({ guest, isArriving }: { readonly guest: DayGuest; readonly isArriving: boolean }) {
  const t = words.value
  const { id, name, room, arrivesAt, leavesAt, from, until, paid } = guest
  const hour = isArriving ? arrivesAt : leavesAt
  return h('tr', null, [
    h('th', { scope: 'row' }, linkedGuest(id, name)),
    h('td', { class: room === null ? 'soft' : undefined }, room ?? t('noRoom')),
    h('td', { class: hour === undefined ? 'soft' : undefined }, hour ?? t('hourNotKnown')),
    h('td', { class: 'wide' }, writtenDay(isArriving ? until : from, language.value)),
    h('td', null, h(OrderOf, { guest })),
    !isArriving && h('td', null, paidText(paid)),
  ])
}
