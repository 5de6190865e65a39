/** Who is in the same room during the stay. */
import { type ComponentChild, h } from 'preact'
import { localTime, writtenDay } from '../../../src/documents/days.ts'
import { useResource } from '../base/resource.ts'
import { language, words } from '../base/signed-in.ts'
import { State } from '../frame/states.ts'
import type { Row } from '../guests/values.ts'
import { zone } from '../kitchen/kitchen-reading.ts'
import { linkedGuest } from './guest-link.ts'
import { fullName } from './guest-name.ts'
import { paidOf } from './paid.ts'
import { paidText } from './paid-text.ts'
import { isReadable, pageOf, type Stay, textAt } from './stays-reading.ts'

const PEOPLE_MAX = 50

export function RoomShared({ stay }: { readonly stay: Stay }): ComponentChild {
  const t = words.value
  const room = textAt(stay, 'ids.acc.roomId')
  const name = textAt(stay, 'acc.roomId')
  return h('section', { class: 'block' }, [
    h('h2', null, name === '' ? t('room') : [t('room'), ' ', h('span', { class: 'then' }, name)]),
    room === '' ? h('p', null, t('roomOfGuestUnknown')) : h(Others, { stay, room }),
  ])
}

function Others({ stay, room }: { readonly stay: Stay; readonly room: string }): ComponentChild {
  const t = words.value
  const reader = useResource(
    (sojourn, signal) =>
      sojourn.guests.list(
        {
          ...{ startDate: stay.from, endDate: stay.until, room, active: true, length: pageOf(PEOPLE_MAX) },
          project: [
            ...(['id', 'firstName', 'lastName', 'startDate', 'endDate', 'orderNumber'] as const),
            ...(isReadable('paid') ? (['paid'] as const) : []),
          ],
        },
        { signal },
      ),
    [stay.id, room],
  )
  const reading = reader.state.value
  const { value } = reading
  const others = value?.data.filter(({ id }) => id !== stay.id) ?? []
  const floor = textAt(stay, 'acc.floor')
  const day = (moment: string) => writtenDay(localTime(moment, zone()).day, language.value)
  const order = textAt(stay, 'orderNumber')
  return h('div', null, [
    h(State, { reading, reader }),
    value === undefined &&
      reading.problem === undefined &&
      h('p', { class: 'soft', role: 'status' }, t('loading')),
    value &&
      h('dl', { class: 'bits' }, [
        h('dt', null, t('sharesWith')),
        h(
          'dd',
          null,
          others.length === 0
            ? t('sharesWithNobody')
            : h(
                'ul',
                null,
                others.map((guest) =>
                  h('li', { key: guest.id }, [
                    linkedGuest(String(guest.id), fullName(guest)),
                    ' ',
                    h(
                      'span',
                      { class: 'small soft' },
                      `${day(String(guest.ids.startDate))} – ${day(String(guest.ids.endDate))}${
                        order !== '' && guest.orderNumber === order ? `, ${t('sameOrder')}` : ''
                      }`,
                    ),
                    isReadable('paid') && [' ', paidText(paidOf(guest as Row))],
                  ]),
                ),
              ),
        ),
        floor !== '' && [h('dt', null, t('floor')), h('dd', null, floor)],
      ]),
    value &&
      value.total > value.data.length &&
      h('p', { class: 'say chgd' }, t('contradictionsListed', { n: value.data.length, total: value.total })),
  ])
}
