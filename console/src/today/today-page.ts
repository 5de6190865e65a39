/** The desk's first page: who is in the house on a day, arrives and leaves, by room; and what the desk has to look at. */
import { type ComponentChild, h } from 'preact'
import { isDay, weekday, writtenDay } from '../../../src/documents/days.ts'
import { numberText } from '../../../src/documents/numbers.ts'
import { notUnderstood } from '../base/address.ts'
import { go } from '../base/location.ts'
import type { PageProps } from '../base/page.ts'
import { isArriving, isHereNow, isHereTonight, isLeaving } from '../base/presence.ts'
import { useResource } from '../base/resource.ts'
import { to } from '../base/routes.ts'
import { language, words } from '../base/signed-in.ts'
import { useTitle } from '../base/title.ts'
import { DataFoot, OldData } from '../frame/data-age.ts'
import { NotUnderstood } from '../frame/not-understood.ts'
import { State } from '../frame/states.ts'
import { timeNow, today } from '../kitchen/kitchen-reading.ts'
import { Attention } from './attention.ts'
import { Birthdays } from './birthdays.ts'
import { byRoom } from './day-guests.ts'
import { DayLinks, dayInQuery } from './day-links.ts'
import { MealsOfDay } from './meals-of-day.ts'
import { Movements } from './movements.ts'
import { NotPaid } from './not-paid.ts'
import { RoomTable } from './room-table.ts'
import { type DeskDay, readDeskDay } from './today-reading.ts'

export function DeskToday({ query }: PageProps): ComponentChild {
  const t = words.value
  const asked = query.day ?? ''
  const day = isDay(asked) ? asked : today()
  const reader = useResource((sojourn, signal) => readDeskDay(sojourn, day, signal), [day])
  const reading = reader.state.value
  const { value } = reading
  useTitle(`${weekday(t, day)} ${writtenDay(day, language.value)}`)
  const isToday = day === today()
  const now = { day: today(), time: timeNow() }
  const n = (count: number) => numberText(count, language.value)
  const guests = value?.guests
  const arriving = guests?.filter((guest) => isArriving(guest, day))
  const leaving = guests?.filter((guest) => isLeaving(guest, day))
  /** The number, which leads to the list behind it: of today, also tomorrow. */
  const count = (found: readonly unknown[] | undefined, name: 'inHouse' | 'arriving' | 'departing') =>
    found === undefined
      ? '–'
      : h('a', { href: to('guests', { [name]: isToday ? 'today' : day }) }, n(found.length))
  const tonight = t('hereTonight', {
    n: guests === undefined ? '–' : guests.filter((guest) => isHereTonight(guest, day)).length,
  })
  // Everybody whose stay includes the day is never there at one time, so that number does not lead.
  const lead = isToday
    ? t('hereNow', {
        n: guests === undefined ? '–' : guests.filter((guest) => isHereNow(guest, now)).length,
      })
    : tonight
  const beds = bedsOf(value?.rooms)
  const known = [...(isToday ? [tonight] : []), ...(beds === undefined ? [] : [t('bedsInAll', { n: beds })])]
  const rooms = guests && byRoom(guests)
  return h('div', { class: 'today' }, [
    h(Head, { day, isReady: guests !== undefined }),
    h(NotUnderstood, { parts: notUnderstood(query, { day: isDay }) }),
    h(State, { reading, reader }),
    value && h(OldData, { kind: 'bookings' }),
    h('dl', { class: 'say3' }, [
      h('div', null, [
        h('dt', null, t('inTheHouse')),
        h('dd', null, [
          h('b', null, lead),
          ...known.flatMap((text) => [text, ' · ']),
          `${t('allDay')}: `,
          count(guests, 'inHouse'),
        ]),
      ]),
      h('div', null, [h('dt', null, t('arrive')), h('dd', null, h('b', null, count(arriving, 'arriving')))]),
      h('div', null, [h('dt', null, t('leave')), h('dd', null, h('b', null, count(leaving, 'departing')))]),
    ]),
    value &&
      guests &&
      rooms &&
      h('div', { class: 'day' }, [
        h('div', null, [
          guests.length === 0 && h('p', { class: 'say' }, h('b', null, t('nobodyHere'))),
          h(Movements, { guests: arriving ?? [], way: 'arriving' }),
          h(Movements, { guests: leaving ?? [], way: 'leaving' }),
          h(RoomTable, { rooms, day, of: value }),
        ]),
        h('div', null, [
          h(Attention, { guests, contradictions: value.contradictions }),
          h(NotPaid, { day, guests }),
          h(Birthdays, { day, guests, ofWeek: value.ofWeek }),
          h(MealsOfDay, { day, portions: value.portions, guests }),
        ]),
      ]),
    h(
      DataFoot,
      { reading, kind: 'bookings' },
      value && [h('span', null, t('inTheHouseMeans')), h('span', null, t('leftOutAre', { n: value.others }))],
    ),
  ])
}

/** Of all rooms; undefined if one of them has beds that are not known. */
function bedsOf(rooms: DeskDay['rooms']): number | undefined {
  const known = (rooms ?? []).filter(({ id }) => id !== null).map(({ beds }) => beds)
  if (known.length === 0) return undefined
  return known.reduce<number | undefined>(
    (sum, beds) => (sum === undefined || beds === null ? undefined : sum + beds),
    0,
  )
}

function Head({ day, isReady }: { readonly day: string; readonly isReady: boolean }): ComponentChild {
  const t = words.value
  const print = (path: string, label: string, isFirst: boolean) =>
    h(
      'a',
      {
        class: isFirst ? 'btn first' : 'btn',
        href: to(path, dayInQuery(day)),
        'aria-disabled': !isReady,
        onClick(event: MouseEvent) {
          if (event.ctrlKey || event.metaKey || event.shiftKey) return
          event.preventDefault()
          go(path, day === today() ? {} : { day }, { print: 'now' })
        },
      },
      label,
    )
  return h('div', { class: 'head' }, [
    h('div', null, [
      h('h1', null, [weekday(t, day), ' ', h('span', null, writtenDay(day, language.value))]),
      h(DayLinks, { path: 'today', day }),
    ]),
    h('div', { class: 'acts' }, [
      print('today/room-list', t('printRoomList'), true),
      print('today/evacuation-list', t('printEvacuationList'), false),
    ]),
  ])
}
