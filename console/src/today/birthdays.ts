/** Birthdays of a day and of the six days after it, of guests who are in the house then. */
import { type ComponentChild, h } from 'preact'
import { addDays, weekday, writtenShort } from '../../../src/documents/days.ts'
import { numberText } from '../../../src/documents/numbers.ts'
import { language, words } from '../base/signed-in.ts'
import { linkedGuest } from '../guest/guest-link.ts'
import { birthdaysFrom, type DayGuest } from './day-guests.ts'

interface BirthdaysProps {
  readonly day: string
  readonly guests: readonly DayGuest[]
  /** undefined if the key may not read dates of birth */
  readonly ofWeek: readonly DayGuest[] | undefined
}

export function Birthdays({ day, guests, ofWeek }: BirthdaysProps): ComponentChild {
  const t = words.value
  return h('section', { class: 'block' }, [
    h('h2', null, [t('birthdays'), ' ', h('span', { class: 'then' }, t('sevenDays'))]),
    ofWeek === undefined
      ? h('p', { class: 'soft' }, t('birthdaysNotPermitted'))
      : h(Known, { day, guests, ofWeek }),
  ])
}

function Known({ day, guests, ofWeek }: Required<BirthdaysProps> & { readonly ofWeek: readonly DayGuest[] }) {
  const t = words.value
  const found = birthdaysFrom(ofWeek, day)
  const withoutDate = guests.filter(({ dob }) => dob === null).length
  const name = (one: string) =>
    one === day
      ? t('thisDay')
      : one === addDays(day, 1)
        ? t('nextDay')
        : `${weekday(t, one, 'short')} ${writtenShort(one, language.value)}`
  return [
    found.length === 0
      ? h('p', null, t('noBirthdays'))
      : h('table', { class: 'lines' }, [
          h('caption', { class: 'vh' }, t('birthdays')),
          h(
            'thead',
            null,
            h('tr', null, [
              h('th', { scope: 'col' }, t('day')),
              h('th', { scope: 'col' }, t('guest')),
              h('th', { scope: 'col' }, t('room')),
              h('th', { scope: 'col', class: 'num' }, t('age')),
            ]),
          ),
          h(
            'tbody',
            null,
            found.map(({ guest, day: on, age }) =>
              h('tr', { key: guest.id }, [
                h('th', { scope: 'row' }, on === day ? h('b', null, name(on)) : name(on)),
                h('td', null, linkedGuest(guest.id, guest.name)),
                h('td', { class: guest.room === null ? 'soft' : undefined }, guest.room ?? t('noRoom')),
                h('td', { class: 'num' }, numberText(age, language.value)),
              ]),
            ),
          ),
        ]),
    withoutDate > 0 && h('p', { class: 'small soft' }, t('withoutBirthDate', { n: withoutDate })),
  ]
}
