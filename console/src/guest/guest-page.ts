/** One guest: who it is, every stay, meals, room, order, what does not fit, and what is not on this page. */
import { type ComponentChild, h } from 'preact'
import { weekday, writtenDay } from '../../../src/documents/days.ts'
import { notUnderstood } from '../base/address.ts'
import type { PageProps } from '../base/page.ts'
import { isArriving, presenceOf, presenceText, whenOf } from '../base/presence.ts'
import { to } from '../base/routes.ts'
import { language, words } from '../base/signed-in.ts'
import { useTitle } from '../base/title.ts'
import { DataFoot } from '../frame/data-age.ts'
import { NotUnderstood } from '../frame/not-understood.ts'
import { State } from '../frame/states.ts'
import { timeNow, today, zone } from '../kitchen/kitchen-reading.ts'
import { Contact } from './contact.ts'
import { GuestContradictions } from './guest-contradictions.ts'
import { GuestMeals } from './guest-meals.ts'
import { GuestOrder } from './guest-order.ts'
import { Medical } from './medical.ts'
import { NotShown } from './not-shown.ts'
import { RoomShared } from './room-shared.ts'
import { nameOf, type Stay, textAt, useStays } from './stays-reading.ts'
import { StaysTable } from './stays-table.ts'

const UNDERSTOOD = { id: () => true }

export function GuestPage({ query }: PageProps): ComponentChild {
  const t = words.value
  const { id = '' } = query
  const reader = useStays(id)
  const reading = reader.state.value
  const found = reading.value
  const stay = found?.stays.find((one) => one.id === id)
  const name = stay === undefined ? t('guest') : nameOf(stay)
  useTitle(name)
  const isUnknown = reading.problem?.kind === 'refused' || (found !== undefined && stay === undefined)
  return h('div', null, [
    h('div', { class: 'head' }, [
      h('div', null, [
        h('h1', null, [name, ' ', stay && h('span', null, whereText(stay))]),
        stay && h('p', { class: 'sub' }, factsOf(stay).join('. ')),
        h('nav', { class: 'days', 'aria-label': t('guests') }, h('a', { href: to('guests') }, t('guests'))),
      ]),
      h(
        'div',
        { class: 'acts' },
        h(
          'button',
          { type: 'button', class: 'btn', disabled: stay === undefined, onClick: () => globalThis.print() },
          t('print'),
        ),
      ),
    ]),
    h(NotUnderstood, { parts: notUnderstood(query, UNDERSTOOD) }),
    isUnknown
      ? h('p', { class: 'say bad', role: 'alert' }, h('b', null, t('guestUnknown')))
      : h(State, { reading, reader }),
    stay === undefined && reading.problem === undefined && !isUnknown
      ? h('p', { class: 'soft', role: 'status' }, t('loading'))
      : null,
    stay &&
      found &&
      h('div', { key: stay.id }, [
        h(GuestContradictions, { stay }),
        h('div', { class: 'guest' }, [
          h('div', null, [
            h(Medical, { stay }),
            h(GuestMeals, { stay }),
            h(StaysTable, { of: found, shown: stay }),
          ]),
          h('div', null, [
            h(GuestOrder, { stay }),
            h(RoomShared, { stay }),
            h(Contact, { stay }),
            h(NotShown, null),
          ]),
        ]),
      ]),
    h(DataFoot, { reading, kind: 'bookings' }, [
      h('span', null, t('readIsRecorded')),
      h('span', null, t('timesOf', { zone: zone() })),
    ]),
  ])
}

function whereText(stay: Stay): string {
  const room = textAt(stay, 'acc.roomId') || words.value('noRoom')
  return [textAt(stay, 'role'), room].filter(Boolean).join(', ')
}

const SENTENCES = { coming: 'guestComes', now: 'guestHere', past: 'guestWasHere' } as const

/** When the stay is, and who it is. What the key may not read is under "not shown". */
function factsOf(stay: Stay): string[] {
  const t = words.value
  const day = (date: string) => `${weekday(t, date)} ${writtenDay(date, language.value)}`
  const now = { day: today(), time: timeNow() }
  const days = { from: day(stay.from), until: day(stay.until) }
  const sentence = t(SENTENCES[whenOf(stay, now)], days)
  // Of today, the hour says more than the day.
  const isToday = isArriving(stay, now.day) && presenceOf(stay, now.day, now) === 'expected'
  const when = isToday ? `${sentence} (${presenceText(t, stay, now.day, now)})` : sentence
  const bookingId = textAt(stay, 'bookingId')
  const born = typeof stay.row.dob === 'string' || stay.row.dob === null ? textAt(stay, 'ids.dob') : undefined
  return [
    `${textAt(stay, 'status')}: ${when}`,
    ...(born === undefined
      ? []
      : [
          born === ''
            ? t('birthUnknown')
            : t('bornOn', { date: writtenDay(born, language.value), age: textAt(stay, 'age') }),
        ]),
    bookingId === '' ? t('noBookingNumber') : t('bookingNumberIs', { number: bookingId }),
  ]
}
