/** The sheet of a day: plates and diets to be read from two metres, then only guests with a diet or a skipped meal. */
import { type ComponentChild, type ComponentChildren, h } from 'preact'
import { useEffect } from 'preact/hooks'
import { isDay, weekday, writtenDay } from '../base/days.ts'
import { to } from '../base/routes.ts'
import { language, person, words } from '../base/signed-in.ts'
import type { PageProps } from '../frame/pages.ts'
import { State, timeOf } from '../frame/states.ts'
import { today, useKitchen } from './kitchen-reading.ts'
import { DietName, MealTable } from './meal-table.ts'
import { type ListedGuest, MEALS, type PortionsDay } from './portions.ts'
import { SheetBar, usePaper } from './sheet-bar.ts'
import { rememberSheet } from './sheet-memory.ts'
import { layOutSheet, shortRoom } from './sheet-pages.ts'

export function DaySheet({ query }: PageProps): ComponentChild {
  const asked = query.day ?? ''
  const date = isDay(asked) ? asked : today()
  const reader = useKitchen({ from: date, days: 1, withGuests: true })
  const reading = reader.state.value
  const day = reading.value?.days[0]
  usePaper()
  useEffect(() => {
    if (day === undefined) return
    const remember = () => rememberSheet(localStorage, person.value!.me.center.id, day, reading.asOf, today())
    addEventListener('beforeprint', remember)
    return () => removeEventListener('beforeprint', remember)
  }, [day])
  return h('div', null, [
    h(SheetBar, {
      back: to('kitchen', { day: date === today() ? undefined : date }),
      isReady: day !== undefined,
    }),
    h(State, { reading, reader }),
    day && h(Sheet, { day, asOf: reading.asOf }),
  ])
}

function Sheet({ day, asOf }: { readonly day: PortionsDay; readonly asOf: number }): ComponentChild {
  const t = words.value
  const name = language.value
  const listed = (day.guestList ?? []).filter(({ diets, skips }) => diets.length > 0 || skips.length > 0)
  const others = (day.guestList ?? []).length - listed.length
  const { points, pages } = layOutSheet(listed, day.byDiet.length)
  const heading = `${weekday(t, day.date)} ${writtenDay(day.date, name)}`
  return h(
    'main',
    { id: 'main', style: { '--rowpt': `${points}pt` } },
    pages.map((rows, at) =>
      h('section', { class: 'sheet' }, [
        h('header', null, [
          h(at === 0 ? 'h1' : 'h2', null, [
            weekday(t, day.date),
            ' ',
            h('span', null, writtenDay(day.date, name)),
          ]),
          h('p', null, [
            h('b', null, t('kitchen')),
            `, ${person.value?.me.center.name}`,
            h('br', null),
            t('asOfOnly', { time: timeOf(asOf) }),
          ]),
        ]),
        at === 0
          ? h(MealTable, { day, kind: 'paper', caption: `${t('portionsToCook')}: ${heading}` })
          : h(PlatesAgain, { day }),
        rows.length > 0 && h(People, { rows }),
        h('p', { class: 'end' }, [
          h('span', null, [at === pages.length - 1 && t('othersEatAll', { n: others }), ' ◆ ', t('allergy')]),
          h('span', null, t('pageOf', { n: at + 1, total: pages.length })),
        ]),
      ]),
    ),
  )
}

const PlatesAgain = ({ day }: { readonly day: PortionsDay }) =>
  h(
    'p',
    { class: 'again' },
    MEALS.flatMap((meal): ComponentChildren[] => [
      `${words.value(meal)} `,
      h('b', null, day.meals[meal].portions),
      '\u2003',
    ]),
  )

function People({ rows }: { readonly rows: readonly ListedGuest[] }): ComponentChild {
  const t = words.value
  return h('table', { class: 'people' }, [
    h('caption', { class: 'vh' }, t('dietOrSkip')),
    h(
      'thead',
      null,
      h(
        'tr',
        null,
        [t('room'), t('guest'), t('diet'), t('skips')].map((head) => h('th', { scope: 'col' }, head)),
      ),
    ),
    h(
      'tbody',
      null,
      rows.map((guest, at) => {
        const room = guest.room === null ? t('noRoom') : shortRoom(guest.room)
        const isSame = at > 0 && rows[at - 1]?.room === guest.room
        return h('tr', null, [
          h(
            'th',
            { scope: 'row', class: isSame ? 'r same' : 'r' },
            h('span', { class: isSame ? 'vh' : guest.room === null ? 'none' : undefined }, room),
          ),
          h('td', null, guest.name),
          h(
            'td',
            null,
            guest.diets.flatMap((diet, place): ComponentChildren[] => [
              place > 0 && ', ',
              h(DietName, { row: diet }),
            ]),
          ),
          h('td', null, guest.skips.map((meal) => t(meal).toLocaleLowerCase()).join(', ')),
        ])
      }),
    ),
  ])
}
