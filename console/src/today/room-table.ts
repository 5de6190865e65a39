/** Who is in which room on a day, and what does not fit in it. */
import { type ComponentChild, h } from 'preact'
import { KINDS } from '../../../src/documents/contradiction-kinds.ts'
import { writtenShort } from '../../../src/documents/days.ts'
import { isLeaving } from '../base/presence.ts'
import { language, words } from '../base/signed-in.ts'
import { linkedGuest } from '../guest/guest-link.ts'
import type { DayGuest, RoomOfDay } from './day-guests.ts'
import type { DeskDay } from './today-reading.ts'

interface RoomTableProps {
  readonly rooms: readonly RoomOfDay[]
  readonly day: string
  readonly of: DeskDay
}

export function RoomTable({ rooms, day, of }: RoomTableProps): ComponentChild {
  const t = words.value
  const taken = rooms.filter(({ name }) => name !== null).length
  const free = of.rooms?.filter(({ id, guests }) => id !== null && guests === 0).map(({ name }) => name)
  const known = [
    t('roomsTaken', { n: taken }),
    ...(free === undefined || free.length === 0
      ? []
      : [t('roomsFreeAre', { n: free.length, list: free.join(', ') })]),
  ]
  if (rooms.length === 0) return null
  return h('section', { class: 'block' }, [
    h('h2', null, [t('rooms'), ' ', h('span', { class: 'then' }, known.join('; '))]),
    h('table', { class: 'lines byroom' }, [
      h('caption', { class: 'vh' }, t('rooms')),
      h(
        'thead',
        null,
        h('tr', null, [
          h('th', { scope: 'col' }, t('room')),
          h('th', { scope: 'col' }, t('guest')),
          h('th', { scope: 'col', class: 'wide' }, t('role')),
          h('th', { scope: 'col' }, t('until')),
        ]),
      ),
      h(
        'tbody',
        null,
        rooms.flatMap((room) => [
          ...room.guests.map((guest, at) =>
            h(GuestLine, { room, guest, day, isFirst: at === 0, key: guest.id }),
          ),
          ...problemsOf(room, day, of).map((problem) =>
            h('tr', { class: 'same', key: `${room.id} ${problem}` }, [
              h('th', { scope: 'row' }, h('span', { class: 'vh' }, room.name ?? t('noRoom'))),
              h('td', { colSpan: 3 }, h('span', { class: 'diff' }, problem)),
            ]),
          ),
        ]),
      ),
    ]),
    of.contradictions === undefined && h('p', { class: 'small soft' }, t('roomsContradictionsNotPermitted')),
  ])
}

interface GuestLineProps {
  readonly room: RoomOfDay
  readonly guest: DayGuest
  readonly day: string
  readonly isFirst: boolean
}

function GuestLine({ room, guest, day, isFirst }: GuestLineProps): ComponentChild {
  const t = words.value
  const name = room.name ?? t('noRoom')
  const shown = room.name === null ? h('span', { class: 'soft' }, name) : h('b', null, name)
  return h('tr', { class: isFirst ? undefined : 'same' }, [
    h('th', { scope: 'row' }, isFirst ? shown : h('span', { class: 'vh' }, name)),
    h('td', null, linkedGuest(guest.id, guest.name)),
    h('td', { class: 'wide' }, guest.role),
    h(
      'td',
      null,
      isLeaving(guest, day) ? h('b', null, t('thisDay')) : writtenShort(guest.until, language.value),
    ),
  ])
}

/** More guests than beds, and contradictions that name the room or a guest in it. */
function problemsOf(room: RoomOfDay, day: string, { rooms, contradictions }: DeskDay): string[] {
  const t = words.value
  const tonight = room.guests.filter(({ until }) => until > day).length
  const beds = rooms?.find(({ id }) => id !== null && id === room.id)?.beds ?? null
  const entries = contradictions?.groups.flatMap((group) => group.entries) ?? []
  const ids = new Set(room.guests.map(({ id }) => id))
  const kinds = entries.filter(({ evidence }) =>
    evidence.records.some(
      ({ kind, id }) => (kind === 'room' && id === room.id) || (kind === 'guest' && ids.has(id)),
    ),
  )
  const isOverfull = beds !== null && tonight > beds
  return [
    ...(isOverfull ? [t('guestsAndBeds', { guests: tonight, beds })] : []),
    ...new Set(
      kinds
        .filter(({ kind }) => !(isOverfull && kind === 'roomOverfull'))
        .map(({ kind }) => t(KINDS[kind].name)),
    ),
  ]
}
