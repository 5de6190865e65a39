/** The rooms of a day for housekeeping: who leaves, moves, arrives and stays, which rooms are free; without names. */
import { type ComponentChild, h } from 'preact'
import type { Room } from '../../../client/src/openapi.ts'
import { notUnderstood } from '../base/address.ts'
import { addDays, isDay, numberText, weekday, writtenDay } from '../base/days.ts'
import { useResource } from '../base/resource.ts'
import { to } from '../base/routes.ts'
import { language, person, words } from '../base/signed-in.ts'
import { useTitle } from '../base/title.ts'
import type { WordKey } from '../base/words.ts'
import { DataFoot } from '../frame/data-age.ts'
import { NotUnderstood } from '../frame/not-understood.ts'
import type { PageProps } from '../frame/pages.ts'
import { State } from '../frame/states.ts'
import { today } from '../kitchen/kitchen-reading.ts'

export function RoomsPage({ query }: PageProps): ComponentChild {
  const t = words.value
  const date = isDay(query.date ?? '') ? (query.date ?? '') : today()
  const { me } = person.value!
  const length = Math.min(100, me.center.maximumPageLength)
  const reader = useResource(
    async (sojourn, signal) => {
      const found: Room[] = []
      for await (const room of sojourn.rooms.all({ date, length }, { signal })) found.push(room)
      return found
    },
    [date],
  )
  const reading = reader.state.value
  const rooms = reading.value
  useTitle(`${t('rooms')} ${writtenDay(date, language.value)}`)
  const link = (day: string) => h('a', { href: to('rooms', { date: day }) }, weekday(t, day))
  return h('div', null, [
    h('div', { class: 'head' }, [
      h('div', null, [
        h('h1', null, [
          t('rooms'),
          ' ',
          h('span', null, `${weekday(t, date)} ${writtenDay(date, language.value)}`),
        ]),
        h('p', { class: 'sub' }, me.center.name),
        h('nav', { class: 'days', 'aria-label': t('days') }, [
          link(addDays(date, -1)),
          link(addDays(date, 1)),
          date !== today() && h('a', { href: to('rooms') }, t('today')),
        ]),
      ]),
      h(
        'div',
        { class: 'acts' },
        h(
          'button',
          { type: 'button', class: 'btn', disabled: rooms === undefined, onClick: () => globalThis.print() },
          t('print'),
        ),
      ),
    ]),
    h(NotUnderstood, { parts: notUnderstood(query, { date: isDay }) }),
    h(State, { reading, reader }),
    rooms?.length === 0 && h('p', { class: 'say' }, h('b', null, t('noRooms'))),
    rooms !== undefined && rooms.length > 0 && h(Rooms, { rooms }),
    // What a key without names may follow does not tell when a room changes, so the page is read when it is opened.
    h(DataFoot, { reading, kind: 'bookings', isStill: true }),
  ])
}

type Group = 'roomsChange' | 'roomsLeave' | 'roomsArrive' | 'roomsStay' | 'roomsUnknown' | 'roomsFree'
const GROUPS: readonly Group[] = [
  'roomsChange',
  'roomsLeave',
  'roomsArrive',
  'roomsStay',
  'roomsUnknown',
  'roomsFree',
]

function groupOf({ id, guests, arriving, departing, movingIn, movingOut }: Room): Group {
  const [leave, come] = [departing + movingOut > 0, arriving + movingIn > 0]
  if (id === null) return 'roomsUnknown'
  if (leave) return come ? 'roomsChange' : 'roomsLeave'
  return come ? 'roomsArrive' : guests > 0 ? 'roomsStay' : 'roomsFree'
}

const COLUMNS = [
  ['departing', 'roomsColumnLeave'],
  ['movingOut', 'roomsColumnMoveOut'],
  ['arriving', 'roomsColumnArrive'],
  ['movingIn', 'roomsColumnMoveIn'],
  ['tonight', 'roomsColumnTonight'],
  ['beds', 'roomsColumnBeds'],
] as const satisfies readonly (readonly [keyof Room, WordKey])[]

function Rooms({ rooms }: { readonly rooms: readonly Room[] }): ComponentChild {
  const t = words.value
  const sum = (name: 'guests' | 'tonight') => rooms.reduce((total, room) => total + room[name], 0)
  const withoutBeds = rooms.filter(({ id, beds }) => id !== null && beds === null).length
  const isOver = rooms.some(hasTooMany)
  return h('div', null, [
    h('p', { class: 'say' }, [
      t('roomsInHouse', { n: sum('guests') }),
      ' · ',
      t('roomsTonight', { n: sum('tonight') }),
      withoutBeds > 0 && [' · ', t('roomsWithoutBeds', { n: withoutBeds })],
      isOver && [' · ', h('b', null, `! ${t('roomsTooMany')}`)],
    ]),
    h(
      'div',
      { class: 'scroll', tabIndex: 0, role: 'region', 'aria-label': t('rooms') },
      h('table', { class: 'lines house' }, [
        h('caption', { class: 'vh' }, t('rooms')),
        h(
          'thead',
          null,
          h('tr', null, [
            h('th', { scope: 'col' }, t('room')),
            ...COLUMNS.map(([, word]) => h('th', { scope: 'col', class: 'num' }, t(word))),
            h('th', { scope: 'col' }, t('roomsColumnFree')),
          ]),
        ),
        ...GROUPS.map((group) => {
          const own = rooms.filter((room) => groupOf(room) === group)
          if (own.length === 0) return null
          return h('tbody', { key: group }, [
            h(
              'tr',
              null,
              h('th', { scope: 'rowgroup', colSpan: COLUMNS.length + 2 }, [
                t(group),
                group !== 'roomsUnknown' && ` · ${numberText(own.length, language.value)}`,
              ]),
            ),
            ...own.map((room) => h(RoomRow, { room, key: room.id ?? '' })),
          ])
        }),
      ]),
    ),
    h('p', { class: 'say' }, t('roomsNotHere')),
  ])
}

const hasTooMany = ({ beds, tonight }: Room) => beds !== null && tonight > beds

function RoomRow({ room }: { readonly room: Room }): ComponentChild {
  const t = words.value
  const shown = (name: (typeof COLUMNS)[number][0]) => {
    const count = room[name]
    // No beds known is a dash; nobody who leaves is an empty cell, so that a look finds who does.
    if (count === null) return '–'
    if (count === 0 && name !== 'beds' && name !== 'tonight') return ''
    const text = numberText(count, language.value)
    return name === 'tonight' && hasTooMany(room) ? h('b', null, `! ${text}`) : text
  }
  const free = room.freeFrom === null ? (room.id === null ? '–' : t('roomsNotFree')) : undefined
  return h('tr', null, [
    h('th', { scope: 'row' }, room.name),
    ...COLUMNS.map(([name]) => h('td', { class: 'num' }, shown(name))),
    h('td', null, free ?? writtenDay(room.freeFrom ?? '', language.value)),
  ])
}
