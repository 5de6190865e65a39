/** Printed lists of everybody in the house on a day, by room: with a box to tick, or for an evacuation; and who is not on them. */
import { type ComponentChild, h } from 'preact'
import { useEffect } from 'preact/hooks'
import { isDay, numberText, weekday, writtenDay } from '../base/days.ts'
import { settle } from '../base/location.ts'
import { useResource } from '../base/resource.ts'
import { to } from '../base/routes.ts'
import { language, person, words } from '../base/signed-in.ts'
import { useTitle } from '../base/title.ts'
import type { WordKey } from '../base/words.ts'
import { DataAge } from '../frame/data-age.ts'
import type { PageProps } from '../frame/pages.ts'
import { State, timeOf } from '../frame/states.ts'
import { timeNow, today } from '../kitchen/kitchen-reading.ts'
import { SheetBar, usePaper } from '../kitchen/sheet-bar.ts'
import {
  byRoom,
  type DayGuest,
  hasUnknownHour,
  isArriving,
  isLeaving,
  type Presence,
  presenceOf,
  type RoomOfDay,
} from './day-guests.ts'
import { type HouseOfDay, readHouse } from './today-reading.ts'

type List = 'rooms' | 'evacuation'
const PATHS: Readonly<Record<List, string>> = {
  rooms: 'today/room-list',
  evacuation: 'today/evacuation-list',
}
const TITLES: Readonly<Record<List, WordKey>> = { rooms: 'roomList', evacuation: 'evacuationList' }
const PRESENCES: Readonly<Record<Presence, WordKey>> = {
  expected: 'presenceExpected',
  here: 'presenceHere',
  leaving: 'presenceLeaving',
}

export const RoomList = (props: PageProps): ComponentChild => h(Sheet, { ...props, list: 'rooms' })
export const EvacuationList = (props: PageProps): ComponentChild => h(Sheet, { ...props, list: 'evacuation' })

function Sheet({ query, list }: PageProps & { readonly list: List }): ComponentChild {
  const t = words.value
  const asked = query.day ?? ''
  const day = isDay(asked) ? asked : today()
  const reader = useResource((sojourn, signal) => readHouse(sojourn, day, signal), [day])
  const reading = reader.state.value
  const { value, asOf } = reading
  useTitle(`${t(TITLES[list])}, ${writtenDay(day, language.value)}`)
  usePaper()
  // A person who asked to print gets the dialog as soon as there is something to print, and once.
  const isReady = value !== undefined
  useEffect(() => {
    if (!isReady || query.print === undefined) return
    settle(PATHS[list], day === today() ? {} : { day }, {})
    globalThis.print()
  }, [isReady, query.print])
  return h('div', null, [
    h(SheetBar, { back: to('today', { day: day === today() ? undefined : day }), isReady }),
    h(State, { reading, reader }),
    value && h(Paper, { of: value, day, list, asOf }),
  ])
}

interface PaperProps {
  readonly of: HouseOfDay
  readonly day: string
  readonly list: List
  readonly asOf: number
}

function Paper({ of: { guests, others }, day, list, asOf }: PaperProps): ComponentChild {
  const t = words.value
  const name = language.value
  const rooms = byRoom(guests)
  const numbers = new Map(rooms.flatMap((room) => room.guests).map((guest, at) => [guest.id, at + 1]))
  return h('main', { class: 'sheet', id: 'main', tabIndex: -1 }, [
    h('header', null, [
      h('h1', null, [t(TITLES[list]), ' ', h('span', null, t('guestsListed', { n: guests.length }))]),
      h('p', null, [
        h('b', null, `${weekday(t, day)} ${writtenDay(day, name)}, ${t('asOfOnly', { time: timeOf(asOf) })}`),
        h('br', null),
        person.value?.me.center.name,
        h('br', null),
        h(DataAge, { kind: 'bookings' }),
      ]),
    ]),
    guests.length === 0
      ? h('p', null, h('b', null, t('nobodyHere')))
      : h('table', { class: 'rooms' }, [
          h('caption', { class: 'vh' }, t(TITLES[list])),
          h(
            'thead',
            null,
            h('tr', null, [
              h('th', { scope: 'col' }, t('room')),
              h('th', { scope: 'col' }, t('number')),
              h('th', { scope: 'col' }, t('guest')),
              h('th', { scope: 'col' }, t(list === 'rooms' ? 'role' : 'presence')),
              h('th', { scope: 'col' }, t('until')),
              h('th', { scope: 'col' }, t('seen')),
            ]),
          ),
          h(
            'tbody',
            null,
            rooms.flatMap((room) =>
              room.guests.map((guest, at) =>
                h(Line, { key: guest.id, room, guest, day, list, at, number: numbers.get(guest.id) ?? 0 }),
              ),
            ),
          ),
        ]),
    h(NotListed, { guests, others, day, list }),
  ])
}

interface LineProps {
  readonly room: RoomOfDay
  readonly guest: DayGuest
  readonly day: string
  readonly list: List
  readonly at: number
  readonly number: number
}

function Line({ room, guest, day, list, at, number }: LineProps): ComponentChild {
  const t = words.value
  const name = room.name ?? t('noRoom')
  return h('tr', null, [
    h(
      'th',
      { scope: 'row', class: at === 0 ? 'r' : 'r same' },
      at === 0 ? name : h('span', { class: 'vh' }, name),
    ),
    h('td', null, numberText(number, language.value)),
    h('td', null, guest.name),
    h('td', null, list === 'rooms' ? guest.role : presenceText(guest, day)),
    h(
      'td',
      null,
      isLeaving(guest, day) ? h('b', null, untilText(guest)) : writtenDay(guest.until, language.value),
    ),
    h('td', null, h('span', { class: 'tick' })),
  ])
}

/** `expected 15:00`; an hour that is not known is said. */
function presenceText(guest: DayGuest, day: string): ComponentChild {
  const t = words.value
  const presence = presenceOf(guest, day, { day: today(), time: timeNow() })
  const word = t(PRESENCES[presence])
  const isComing = isArriving(guest, day)
  const hour = isComing ? (guest.arrivesAt ?? t('hourNotKnown')) : undefined
  const text = hour === undefined ? word : `${word} (${t('arrivesToday')}, ${hour})`
  return presence === 'here' && !isComing ? text : h('b', null, text)
}

const untilText = ({ leavesAt }: DayGuest): string =>
  `${words.value('thisDay')}, ${leavesAt ?? words.value('hourNotKnown')}`

/** What the list does not contain, so that it does not look complete. */
function NotListed({
  guests,
  others,
  day,
  list,
}: Pick<PaperProps, 'day' | 'list'> & HouseOfDay): ComponentChild {
  const t = words.value
  const now = { day: today(), time: timeNow() }
  const of = (presence: Presence) => guests.filter((guest) => presenceOf(guest, day, now) === presence).length
  const withoutRoom = guests.filter(({ room }) => room === null).length
  const withoutHour = guests.filter((guest) => hasUnknownHour(guest, day)).length
  const sentences = [
    list === 'evacuation' &&
      t('presences', { expected: of('expected'), here: of('here'), leaving: of('leaving') }),
    withoutRoom > 0 && t('withoutRoom', { n: withoutRoom }),
    withoutHour > 0 && t('withoutHour', { n: withoutHour }),
    t('notOnList', { n: others }),
    t('onlyBookings'),
  ].filter((one) => one !== false)
  return h('p', { class: 'end' }, [
    h('span', null, [
      h('b', null, t('listedOf', { n: guests.length, total: guests.length })),
      ' ',
      sentences.join(' '),
    ]),
  ])
}
