/** Every stay of the person: to come, now, and past. */
import { type ComponentChild, h } from 'preact'
import { writtenDay } from '../../../src/documents/days.ts'
import { numberText } from '../../../src/documents/numbers.ts'
import type { WordKey } from '../../../src/documents/words.ts'
import { whenOf } from '../base/presence.ts'
import { to } from '../base/routes.ts'
import { language, words } from '../base/signed-in.ts'
import { timeNow, today } from '../kitchen/kitchen-reading.ts'
import { type Stay, type Stays, textAt } from './stays-reading.ts'

const OUT = ['cancelled', 'voided']

const PARTS: readonly { readonly title: WordKey; readonly when: ReturnType<typeof whenOf> }[] = [
  { title: 'staysToCome', when: 'coming' },
  { title: 'staysNow', when: 'now' },
  { title: 'staysPast', when: 'past' },
]

export function StaysTable({ of, shown }: { readonly of: Stays; readonly shown: Stay }): ComponentChild {
  const t = words.value
  const heads = [t('when'), t('room'), t('program'), t('bookingNumber'), t('status')]
  const { stays, total } = of
  return h('section', { class: 'block' }, [
    h('h2', null, [t('stays'), ' ', h('span', { class: 'then' }, numberText(total, language.value))]),
    total > stays.length &&
      h('p', { class: 'say chgd' }, h('b', null, t('contradictionsListed', { n: stays.length, total }))),
    h(
      'div',
      { class: 'scroll', tabIndex: 0, role: 'region', 'aria-label': t('stays') },
      h('table', { class: 'lines' }, [
        h('caption', { class: 'vh' }, t('stays')),
        h(
          'thead',
          null,
          h(
            'tr',
            null,
            heads.map((head) => h('th', { scope: 'col' }, head)),
          ),
        ),
        PARTS.map(({ title, when }) => {
          const own = stays.filter((stay) => whenOf(stay, { day: today(), time: timeNow() }) === when)
          if (own.length === 0) return null
          return h('tbody', { key: title }, [
            h('tr', { class: 'top' }, h('th', { scope: 'rowgroup', colSpan: heads.length }, t(title))),
            own
              .toSorted((a, b) => b.from.localeCompare(a.from))
              .map((stay) => h(Line, { stay, isShown: stay.id === shown.id, key: stay.id })),
          ])
        }),
      ]),
    ),
  ])
}

function Line({ stay, isShown }: { readonly stay: Stay; readonly isShown: boolean }): ComponentChild {
  const t = words.value
  const days = `${writtenDay(stay.from, language.value)} – ${writtenDay(stay.until, language.value)}`
  return h('tr', { class: OUT.includes(textAt(stay, 'ids.status')) ? 'void' : undefined }, [
    h(
      'th',
      { scope: 'row' },
      isShown
        ? h('b', { 'aria-current': 'true' }, days)
        : h('a', { href: to('guests/one', { id: stay.id }) }, days),
    ),
    h('td', null, textAt(stay, 'acc.roomId') || t('noRoom')),
    h('td', null, textAt(stay, 'programId') || t('noProgram')),
    h('td', null, textAt(stay, 'bookingId') || '–'),
    h('td', null, textAt(stay, 'status')),
  ])
}
