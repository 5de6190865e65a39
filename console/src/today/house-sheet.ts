/** Printed lists of everybody in the house on a day, by room: with a box to tick, or for an evacuation; and who is not on them. */
import { type ComponentChild, h } from 'preact'
import { useEffect } from 'preact/hooks'
import { isDay, weekday, writtenDay } from '../../../src/documents/days.ts'
import { numberText } from '../../../src/documents/numbers.ts'
import type { WordKey } from '../../../src/documents/words.ts'
import { settle } from '../base/location.ts'
import type { PageProps } from '../base/page.ts'
import {
  hasUnknownHour,
  isArriving,
  isLeaving,
  type Presence,
  presenceOf,
  presenceText,
} from '../base/presence.ts'
import { useResource } from '../base/resource.ts'
import { to } from '../base/routes.ts'
import { language, person, words } from '../base/signed-in.ts'
import { useTitle } from '../base/title.ts'
import { DataAge } from '../frame/data-age.ts'
import { State, timeOf } from '../frame/states.ts'
import { timeNow, today } from '../kitchen/kitchen-reading.ts'
import { SheetBar, usePaper } from '../kitchen/sheet-bar.ts'
import { PaperSheets, type PaperTable } from '../paper/paper-sheets.ts'
import { byRoom, type DayGuest, type RoomOfDay } from './day-guests.ts'
import { type HouseOfDay, readHouse } from './today-reading.ts'

type List = 'rooms' | 'evacuation'
const PATHS: Readonly<Record<List, string>> = {
  rooms: 'today/room-list',
  evacuation: 'today/evacuation-list',
}
const TITLES: Readonly<Record<List, WordKey>> = { rooms: 'roomList', evacuation: 'evacuationList' }
/** Of the columns, so that they are the same on each sheet. */
const WIDTHS = ['16%', '9%', '32%', '20%', '14%', '9%'] as const

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
  const lines = rooms.flatMap((room) => room.guests.map((guest, at) => ({ room, guest, at })))
  const table: PaperTable = {
    class: 'rooms',
    caption: t(TITLES[list]),
    columns: h(
      'colgroup',
      null,
      WIDTHS.map((width) => h('col', { style: { width } })),
    ),
    head: h('tr', null, [
      h('th', { scope: 'col' }, t('room')),
      h('th', { scope: 'col' }, t('number')),
      h('th', { scope: 'col' }, t('guest')),
      h('th', { scope: 'col' }, t(list === 'rooms' ? 'role' : 'presence')),
      h('th', { scope: 'col' }, t('until')),
      h('th', { scope: 'col' }, t('seen')),
    ]),
    rows: lines.map(
      ({ room, guest, at }, number) =>
        (isFirst) =>
          h(Line, {
            key: guest.id,
            room,
            guest,
            day,
            list,
            isSame: at > 0 && !isFirst,
            number: number + 1,
          }),
    ),
  }
  return h(
    'main',
    { id: 'main', tabIndex: -1 },
    h(PaperSheets, {
      of: [guests, others, day, list, asOf, name, timeNow()],
      header: (isFirst) => [
        h(isFirst ? 'h1' : 'h2', null, [
          t(TITLES[list]),
          ' ',
          h('span', null, t('guestsListed', { n: guests.length })),
        ]),
        h('p', null, [
          h(
            'b',
            null,
            `${weekday(t, day)} ${writtenDay(day, name)}, ${t('asOfOnly', { time: timeOf(asOf) })}`,
          ),
          h('br', null),
          person.value?.me.center.name,
          h('br', null),
          h(DataAge, { kind: 'bookings' }),
        ]),
      ],
      above: (isFirst) => isFirst && guests.length === 0 && h('p', null, h('b', null, t('nobodyHere'))),
      tables: [table],
      end: h(NotListed, { guests, others, day, list }),
    }),
  )
}

interface LineProps {
  readonly room: RoomOfDay
  readonly guest: DayGuest
  readonly day: string
  readonly list: List
  /** the room is that of the line above */
  readonly isSame: boolean
  readonly number: number
}

function Line({ room, guest, day, list, isSame, number }: LineProps): ComponentChild {
  const t = words.value
  const name = room.name ?? t('noRoom')
  return h('tr', null, [
    h(
      'th',
      { scope: 'row', class: isSame ? 'r same' : 'r' },
      isSame ? h('span', { class: 'vh' }, name) : name,
    ),
    h('td', null, numberText(number, language.value)),
    h('td', null, guest.name),
    h('td', null, list === 'rooms' ? guest.role : presenceCell(guest, day)),
    h(
      'td',
      null,
      isLeaving(guest, day) ? h('b', null, untilText(guest)) : writtenDay(guest.until, language.value),
    ),
    h('td', null, h('span', { class: 'tick' })),
  ])
}

/** Who is not simply here is to be seen at once. */
function presenceCell(guest: DayGuest, day: string): ComponentChild {
  const now = { day: today(), time: timeNow() }
  const text = presenceText(words.value, guest, day, now)
  const isPlain = presenceOf(guest, day, now) === 'here' && !isArriving(guest, day)
  return isPlain ? text : h('b', null, text)
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
  return [h('b', null, t('listedOf', { n: guests.length, total: guests.length })), ' ', sentences.join(' ')]
}
