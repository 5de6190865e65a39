/** The rooms of a day for housekeeping: who leaves, moves, arrives and stays, which rooms are free; without names. */
import { type ComponentChild, h } from 'preact'
import type { Room } from '../../../client/src/openapi.ts'
import { addDays, isDay, weekday, writtenDay } from '../../../src/documents/days.ts'
import { numberText } from '../../../src/documents/numbers.ts'
import {
  freeFromText,
  groupOfRoom,
  hasTooMany,
  ROOM_COLUMNS,
  ROOM_GROUPS,
  type RoomColumn,
  roomCellText,
  roomsSummary,
} from '../../../src/documents/room-rules.ts'
import { notUnderstood } from '../base/address.ts'
import type { PageProps } from '../base/page.ts'
import { useResource } from '../base/resource.ts'
import { to } from '../base/routes.ts'
import { language, person, words } from '../base/signed-in.ts'
import { useTitle } from '../base/title.ts'
import { DataFoot } from '../frame/data-age.ts'
import { NotUnderstood } from '../frame/not-understood.ts'
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

function Rooms({ rooms }: { readonly rooms: readonly Room[] }): ComponentChild {
  const t = words.value
  const isOver = rooms.some(hasTooMany)
  return h('div', null, [
    h('p', { class: 'say' }, [
      roomsSummary(t, rooms).join(' · '),
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
            ...ROOM_COLUMNS.map(([, word]) => h('th', { scope: 'col', class: 'num' }, t(word))),
            h('th', { scope: 'col' }, t('roomsColumnFree')),
          ]),
        ),
        ...ROOM_GROUPS.map((group) => {
          const own = rooms.filter((room) => groupOfRoom(room) === group)
          if (own.length === 0) return null
          return h('tbody', { key: group }, [
            h(
              'tr',
              null,
              h('th', { scope: 'rowgroup', colSpan: ROOM_COLUMNS.length + 2 }, [
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

function RoomRow({ room }: { readonly room: Room }): ComponentChild {
  const t = words.value
  const shown = (name: RoomColumn) => {
    const text = roomCellText(room, name, language.value)
    return name === 'tonight' && hasTooMany(room) ? h('b', null, text) : text
  }
  return h('tr', null, [
    h('th', { scope: 'row' }, room.name),
    ...ROOM_COLUMNS.map(([name]) => h('td', { class: 'num' }, shown(name))),
    h('td', null, freeFromText(t, room, language.value)),
  ])
}
