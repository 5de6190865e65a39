/** What is printed of seven days: days as rows, who skips next to the number; where most skip, who eats. Then the diets. */
import { type ComponentChild, h } from 'preact'
import { weekday } from '../../../src/documents/days.ts'
import {
  dietKey,
  dietsOf,
  digitsOf,
  eatingAt,
  hasAllergies,
  MEALS,
  type Meal,
  type PortionsDay,
  sizedFor,
  skippingAt,
} from '../../../src/documents/portions.ts'
import { countRooms, shortName, shortRooms } from '../../../src/documents/short-names.ts'
import { language, person, words } from '../base/signed-in.ts'
import { DataAge } from '../frame/data-age.ts'
import { timeOf } from '../frame/states.ts'
import { PaperSheets, type PaperTable } from '../paper/paper-sheets.ts'
import { type Diets, DietsNotice, DietsUnset } from './diets-shown.ts'
import { DietName } from './meal-table.ts'
import { SevenDaysTitle } from './seven-days.ts'

/** More names than this next to a number become rooms, which run on in lines: of a large house, where days are higher. */
const NAMES_MAX = 12
const NAMES_MAX_LARGE = 6
/** More than this would take the place of the days after it. */
const ROOMS_MAX = 30

export interface WeekPaperProps {
  readonly days: readonly PortionsDay[]
  readonly diets: Diets
  readonly from: string
  /** epoch milliseconds */
  readonly asOf: number
  /** how old it is, of the copy on a device without a connection */
  readonly age?: string | undefined
}

export function WeekPaper({ days, diets, from, asOf, age }: WeekPaperProps): ComponentChild {
  const t = words.value
  const hasNames = days.every(({ guestList }) => guestList !== undefined)
  return h(PaperSheets, {
    of: [days, diets, from, asOf, age, language.value],
    header: () => [
      h(SevenDaysTitle, { from }),
      h('p', null, [
        h('b', null, t('kitchen')),
        `, ${person.value?.me.center.name}`,
        h('br', null),
        age ?? t('asOfOnly', { time: timeOf(asOf) }),
        h('br', null),
        h(DataAge, { kind: 'bookings' }),
      ]),
    ],
    above: () => h(DietsNotice, { diets, on: 'sheet' }),
    tables: [daysTable(days), dietTable(days)],
    end: h(DietsUnset, { diets }),
    note: [t(hasNames ? 'weekSheetKey' : 'weekWithoutNames'), hasAllergies(days) && ` ◆ ${t('allergy')}`],
  })
}

const shortDay = (date: string) => `${weekday(words.value, date, 'short')} ${Number(date.slice(8))}`

interface DayRowProps {
  readonly day: PortionsDay
  readonly isLarge: boolean
  readonly roomText: (room: string | null) => string
}

function daysTable(days: readonly PortionsDay[]): PaperTable {
  const t = words.value
  const short = shortRooms(days.flatMap(({ guestList = [] }) => guestList.map(({ room }) => room)))
  const roomText = (room: string | null) => (room === null ? '–' : short(room))
  return {
    class: 'w',
    style: sizedFor(days),
    caption: t('portionsToCook'),
    head: h('tr', null, [
      h('th', { scope: 'col' }, h('span', { class: 'vh' }, t('day'))),
      ...MEALS.map((meal) => h('th', { scope: 'col' }, t(meal))),
    ]),
    rows: days.map((day) => () => h(DayRow, { day, isLarge: digitsOf(days) > 2, roomText })),
  }
}

function DayRow({ day, isLarge, roomText }: DayRowProps): ComponentChild {
  const t = words.value
  return h('tr', null, [
    h('th', { scope: 'row' }, [
      shortDay(day.date),
      h('small', null, [
        day.arriving > 0 && t('arriving', { n: day.arriving }),
        day.arriving > 0 && day.departing > 0 && h('br', null),
        day.departing > 0 && t('departing', { n: day.departing }),
      ]),
    ]),
    ...MEALS.map((meal) =>
      h(
        'td',
        null,
        h('div', null, [
          h('b', { class: 'n' }, day.meals[meal].served ? day.meals[meal].portions : '–'),
          day.meals[meal].served
            ? h(Names, { day, meal, isLarge, roomText })
            : h('span', null, t('notServed')),
        ]),
      ),
    ),
  ])
}

/** Whichever list is shorter tells the same. */
function Names({ day, meal, isLarge, roomText }: DayRowProps & { readonly meal: Meal }): ComponentChild {
  if (day.guestList === undefined) {
    const { skipping } = day.meals[meal]
    return skipping === 0 ? null : h('span', null, words.value('skip', { n: skipping }))
  }
  const skipping = skippingAt(day, meal)
  const eating = eatingAt(day, meal)
  const showsEating = skipping.length > eating.length && eating.length > 0
  const named = showsEating ? eating : skipping
  // Where nobody eats the 0 tells it, and the day's sheet has room for half a house by name.
  if (eating.length === 0) return null
  const rooms = countRooms(named.map(({ room }) => roomText(room)))
  if (rooms.size > ROOMS_MAX) return h('span', null, words.value('skip', { n: skipping.length }))
  const eat = showsEating && h('b', { class: 'eat' }, words.value('theseEat'))
  if (named.length > (isLarge ? NAMES_MAX_LARGE : NAMES_MAX)) {
    const parts = [...rooms].flatMap(([room, count], at) => [
      at > 0 && ', ',
      h('span', { class: 'whole' }, count === 1 ? room : `${room} ×${count}`),
    ])
    return h('p', null, [eat, ' ', parts])
  }
  return h('ul', null, [
    eat && h('li', { class: 'eat' }, eat),
    ...named.map(({ room, name }) =>
      h('li', null, [h('b', null, roomText(room)), h('span', null, shortName(name ?? ''))]),
    ),
  ])
}

function dietTable(days: readonly PortionsDay[]): PaperTable {
  const t = words.value
  return {
    class: 'dw',
    style: sizedFor(days),
    caption: t('diet'),
    head: h('tr', null, [
      h('th', { scope: 'col' }, t('ofThesePortions')),
      ...days.map(({ date }) => h('th', { scope: 'col' }, h('b', null, shortDay(date)))),
    ]),
    rows: dietsOf(days).map(
      (diet) => () =>
        h('tr', null, [
          h('th', { scope: 'row' }, h(DietName, { row: diet })),
          ...days.map((day) => {
            const row = day.byDiet.find((one) => dietKey(one) === dietKey(diet))
            return h('td', null, MEALS.map((meal) => row?.[meal] ?? 0).join(' · '))
          }),
        ]),
    ),
  }
}
