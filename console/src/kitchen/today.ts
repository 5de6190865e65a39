/** The kitchen's first page: the plates of a day, large, and what they are made of; then who skips, and tomorrow. */
import { type ComponentChild, h } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { addDays, isDay, weekday, writtenDay } from '../../../src/documents/days.ts'
import type { PortionsDay } from '../../../src/documents/portions.ts'
import { DayField } from '../base/day-field.ts'
import { go } from '../base/location.ts'
import type { PageProps } from '../base/page.ts'
import { to } from '../base/routes.ts'
import { language, words } from '../base/signed-in.ts'
import { useTitle } from '../base/title.ts'
import { DataFoot, OldData } from '../frame/data-age.ts'
import { State } from '../frame/states.ts'
import { RuleNotes, Tomorrow } from './day-notes.ts'
import { type Diets, DietsNotice, dietsShown } from './diets-shown.ts'
import { today, useDayAndSheet } from './kitchen-reading.ts'
import { LateChanges } from './late-changes.ts'
import { MealTable } from './meal-table.ts'
import { PrintDay } from './print-link.ts'
import { Since } from './sheet-changes.ts'
import { takenSheet } from './sheet-marks.ts'
import { ByRows, WhoEatsNot, WhoSkips } from './who-skips.ts'

export function Today({ query }: PageProps): ComponentChild {
  const t = words.value
  const asked = query.day ?? ''
  const day = isDay(asked) ? asked : today()
  const reader = useDayAndSheet({ from: day, days: 2, withGuests: false })
  const reading = reader.state.value
  useTitle(`${t('kitchen')}, ${weekday(t, day)} ${writtenDay(day, language.value)}`)
  const [shown, tomorrow] = reading.value?.portions.days ?? []
  const diets = reading.value?.portions.diets
  const sheet = takenSheet(reading.value?.sheet)
  const isEmpty = shown !== undefined && shown.guests === 0
  return h('div', null, [
    h(Head, { day, shown, diets, isWaiting: reading.problem === undefined }),
    h(State, { reading, reader }),
    shown !== undefined && h(OldData, { kind: 'bookings' }),
    h(DietsNotice, { diets, on: 'page' }),
    h('div', { class: reading.problem?.kind === 'ended' ? 'day old' : 'day' }, [
      h('div', null, [
        h(MealTable, {
          // Numbers take the place of dashes: the browser would call it a move if the same text grew.
          key: shown === undefined ? 'dashes' : 'numbers',
          day: shown,
          kind: 'page',
          diets,
          sheet,
          caption: `${t('portionsToCook')}: ${weekday(words.value, day)} ${writtenDay(day, language.value)}`,
        }),
        isEmpty && h('p', { class: 'say' }, h('b', null, t('nobodyHere'))),
        shown && !isEmpty && h(WhoSkips, { day, key: day }),
        shown && !isEmpty && h(WhoEatsNot, { day, key: `not ${day}` }),
        shown && !isEmpty && h(ByRows, { day: shown }),
      ]),
      // On a phone it is below the diets, and would be moved by them.
      (shown !== undefined || reading.problem !== undefined) &&
        h('div', null, [
          h(LateChanges, {
            day,
            answer: reading.value?.sheet,
            onDone: () => reader.refresh(),
            key: `late ${day}`,
          }),
          // What is on the wall is known only if it was read.
          reading.value !== undefined &&
            h(Since, { date: day, answer: reading.value.sheet, onChosen: () => reader.refresh() }),
          h(Tomorrow, { day: tomorrow, date: addDays(day, 1) }),
        ]),
    ]),
    h(
      DataFoot,
      { reading, kind: 'bookings' },
      reading.value && h(RuleNotes, { portions: reading.value.portions, day: shown }),
    ),
    h(Announcer, { day: shown }),
  ])
}

interface HeadProps {
  readonly day: string
  readonly shown: PortionsDay | undefined
  readonly diets: Diets | undefined
  /** whether it is still to come */
  readonly isWaiting: boolean
}

function Head({ day, shown, diets, isWaiting }: HeadProps): ComponentChild {
  const t = words.value
  const name = language.value
  const isWithout = diets !== undefined && dietsShown(diets) === 'withheld'
  const link = (to_: string) =>
    h(
      'a',
      { href: to('kitchen', { day: to_ === today() ? undefined : to_ }) },
      to_ === today() ? t('today') : weekday(words.value, to_),
    )
  return h('div', { class: 'head' }, [
    h('div', null, [
      h('h1', null, [weekday(words.value, day), ' ', h('span', null, writtenDay(day, name))]),
      // Reserved, so that the table does not move when it comes.
      h('p', { class: 'sub' }, shown === undefined ? (isWaiting ? t('loading') : '\u00a0') : inHouse(shown)),
      h('nav', { class: 'days', 'aria-label': t('days') }, [
        link(addDays(day, -1)),
        link(addDays(day, 1)),
        h(DayField, { day, onDay: (one) => go('kitchen', one === today() ? {} : { day: one }, {}) }),
        h('a', { href: to('kitchen/week', { from: day === today() ? undefined : day }) }, t('sevenDays')),
      ]),
    ]),
    h('div', { class: 'acts' }, [
      h(PrintDay, { day, label: t(isWithout ? 'printDayWithoutDiets' : 'printDay'), isFirst: true }),
      h('a', { class: 'btn', href: to('kitchen/week-sheet', { from: day }) }, t('printWeek')),
      h('a', { class: 'btn wide', href: to('kitchen/wall') }, t('wallDisplay')),
    ]),
  ])
}

/** One text: the browser calls it a move where several take the place of one. A line ends between two, and not in one. */
const inHouse = ({ guests, arriving, departing }: PortionsDay): string =>
  [
    words.value('guestsInHouse', { n: guests }),
    words.value('arriving', { n: arriving }),
    words.value('departing', { n: departing }),
  ]
    .map((text) => text.replaceAll(' ', '\u00a0'))
    .join(' · ')

/** Says once what changed, for those who do not see it. */
function Announcer({ day }: { readonly day: PortionsDay | undefined }): ComponentChild {
  const t = words.value
  const [said, say] = useState('')
  const now =
    day &&
    `${t('breakfast')} ${day.meals.breakfast.portions}, ${t('lunch')} ${day.meals.lunch.portions}, ${t('dinner')} ${day.meals.dinner.portions}`
  const [before, keep] = useState(now)
  useEffect(() => {
    if (before !== undefined && now !== undefined && before !== now) say(now)
    keep(now)
  }, [now])
  return h('p', { class: 'vh', role: 'status' }, said)
}
