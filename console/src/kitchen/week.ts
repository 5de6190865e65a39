/** Seven days from today, because a cook orders forward: bars for the shape of the week, a table with every number. */
import { type ComponentChild, h } from 'preact'
import { addDays, weekday, writtenDay, writtenShort } from '../../../src/documents/days.ts'
import {
  type DietRow,
  dietKey,
  dietsOf,
  MEALS,
  type PortionsDay,
  sizedFor,
} from '../../../src/documents/portions.ts'
import type { PageProps } from '../base/page.ts'
import { to } from '../base/routes.ts'
import { language, words } from '../base/signed-in.ts'
import { useTitle } from '../base/title.ts'
import { DataFoot } from '../frame/data-age.ts'
import { State } from '../frame/states.ts'
import { RuleNotes } from './day-notes.ts'
import { DietsNotice, DietsUnset } from './diets-shown.ts'
import { today, useKitchen } from './kitchen-reading.ts'
import { DietName } from './meal-table.ts'
import { DAYS, firstOf, SevenDaysTitle } from './seven-days.ts'
import { WeekChart } from './week-chart.ts'
import { WeekPrint } from './week-print.ts'

export function Week({ query }: PageProps): ComponentChild {
  const t = words.value
  const from = firstOf(query)
  const reader = useKitchen({ from, days: DAYS, withGuests: false })
  const reading = reader.state.value
  useTitle(`${t('sevenDays')}, ${writtenDay(from, language.value)}`)
  const days = reading.value?.days ?? []
  const link = (first: string, text: string) =>
    h('a', { href: to('kitchen/week', { from: first === today() ? undefined : first }) }, text)
  return h('div', null, [
    h('div', { class: 'screen-only' }, [
      h('div', { class: 'head' }, [
        h('div', null, [
          h(SevenDaysTitle, { from }),
          h('nav', { class: 'days', 'aria-label': t('days') }, [
            link(addDays(from, -DAYS), t('sevenDaysEarlier')),
            link(addDays(from, DAYS), t('sevenDaysLater')),
            h('a', { href: to('kitchen') }, t('today')),
          ]),
        ]),
        h(
          'div',
          { class: 'acts' },
          h('a', { class: 'btn first', href: to('kitchen/week-sheet', { from }) }, t('printWeek')),
        ),
      ]),
      h(State, { reading, reader }),
      h(CopyEnds, { days }),
      h(DietsNotice, { diets: reading.value?.diets, on: 'page' }),
      h(WeekChart, { days, from, count: DAYS }),
      h(WeekTable, { days }),
      h(DietsUnset, { diets: reading.value?.diets }),
      h(
        DataFoot,
        { reading, kind: 'bookings' },
        reading.value && h(RuleNotes, { portions: reading.value, day: undefined }),
      ),
    ]),
    h(WeekPrint, { from, reading }),
  ])
}

/** Without a connection, the copy of a device has fewer days than those asked for. */
function CopyEnds({ days }: { readonly days: readonly PortionsDay[] }): ComponentChild {
  const last = days.at(-1)
  if (last === undefined || days.length >= DAYS) return null
  const day = writtenDay(last.date, language.value)
  return h('p', { class: 'say chgd', role: 'status' }, h('b', null, words.value('copyEndsOn', { day })))
}

/** More diets than this have no room as columns. */
const COLUMNS_MAX = 5

function WeekTable({ days }: { readonly days: readonly PortionsDay[] }): ComponentChild {
  const t = words.value
  const diets = dietsOf(days)
  return h(
    'div',
    { class: 'scroll', tabIndex: 0, role: 'region', 'aria-label': t('sevenDays') },
    h(
      'table',
      { class: diets.length > COLUMNS_MAX ? 'lines week stacked' : 'lines week', style: sizedFor(days) },
      [
        h('caption', { class: 'vh' }, t('portionsToCook')),
        h(
          'thead',
          null,
          h('tr', null, [
            h('th', { scope: 'col' }, t('day')),
            ...MEALS.map((meal) => h('th', { scope: 'col', class: 'num' }, t(meal))),
            h('th', { scope: 'col', class: 'num far' }, t('arrive')),
            h('th', { scope: 'col', class: 'num far' }, t('leave')),
            ...diets.map((row) => h('th', { scope: 'col', class: 'num far' }, h(DietName, { row }))),
          ]),
        ),
        h(
          'tbody',
          null,
          days.map((day) => h(DayRow, { day, diets })),
        ),
      ],
    ),
  )
}

function DayRow({
  day,
  diets,
}: {
  readonly day: PortionsDay
  readonly diets: readonly DietRow[]
}): ComponentChild[] {
  const t = words.value
  const name = language.value
  const isToday = day.date === today()
  const today_ = isToday ? ' today' : ''
  const main = h('tr', { class: `d${today_}` }, [
    h(
      'th',
      { scope: 'row' },
      h('a', { href: to('kitchen', { day: isToday ? undefined : day.date }) }, [
        h('b', null, isToday ? t('today') : weekday(t, day.date, 'short')),
        ' ',
        writtenShort(day.date, name),
      ]),
    ),
    ...MEALS.map((meal) => {
      const { served, portions, skipping } = day.meals[meal]
      const note = served ? (skipping === 0 ? '\u00a0' : t('skip', { n: skipping })) : t('notServed')
      return h('td', { class: 'num big' }, [served ? portions : '–', h('span', { class: 's' }, note)])
    }),
    h('td', { class: 'num far' }, day.arriving),
    h('td', { class: 'num far' }, day.departing),
    ...diets.map((diet) => {
      const row = day.byDiet.find((one) => dietKey(one) === dietKey(diet))
      return h(
        'td',
        { class: 'num far' },
        h(
          'span',
          { class: 'trip' },
          MEALS.map((meal) => h('span', { class: row?.[meal] ? undefined : 'z' }, row?.[meal] ?? 0)),
        ),
      )
    }),
  ])
  // The same in rows, where the columns have no room.
  const moving = [
    day.arriving > 0 && t('arriving', { n: day.arriving }),
    day.departing > 0 && t('departing', { n: day.departing }),
  ].filter((text) => text !== false)
  return [
    main,
    moving.length > 0 && h('tr', { class: `dl${today_}` }, h('td', { colSpan: 4 }, moving.join(' · '))),
    ...diets.flatMap((diet) => {
      const row = day.byDiet.find((one) => dietKey(one) === dietKey(diet))
      if (row === undefined) return []
      return h('tr', { class: `dl${today_}` }, [
        h('th', { scope: 'row' }, h(DietName, { row })),
        ...MEALS.map((meal) => h('td', { class: row[meal] === 0 ? 'num zero' : 'num' }, row[meal])),
      ])
    }),
  ]
}
