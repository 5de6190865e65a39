/** The sheet of a day: plates and diets to be read from two metres, then only guests with a diet or a skipped meal. */
import { type ComponentChild, type ComponentChildren, h } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { isDay, weekday, writtenDay } from '../base/days.ts'
import type { Reader } from '../base/reading.ts'
import { to } from '../base/routes.ts'
import { language, person, words } from '../base/signed-in.ts'
import { inSentence, type WordKey } from '../base/words.ts'
import type { PageProps } from '../frame/pages.ts'
import { State, timeOf } from '../frame/states.ts'
import { type DayList, dayList } from './day-list.ts'
import { type DayAndSheet, today, useDayAndSheet } from './kitchen-reading.ts'
import { DietName, MealTable } from './meal-table.ts'
import { hasAllergies, type ListedGuest, MEALS, type Meal, type PortionsDay } from './portions.ts'
import { SheetBar, usePaper } from './sheet-bar.ts'
import { isCurrent, takenSheet } from './sheet-marks.ts'
import { layOutSheet, shortRoom } from './sheet-pages.ts'

export function DaySheet({ query }: PageProps): ComponentChild {
  const asked = query.day ?? ''
  const date = isDay(asked) ? asked : today()
  const reader = useDayAndSheet({ from: date, days: 1, withGuests: true })
  const reading = reader.state.value
  const day = reading.value?.portions.days[0]
  const printSheet = usePrinting(date, reader)
  usePaper()
  return h('div', null, [
    h(SheetBar, {
      back: to('kitchen', { day: date === today() ? undefined : date }),
      isReady: day !== undefined,
      print: printSheet,
    }),
    h(State, { reading, reader }),
    day && h(Sheet, { day, asOf: reading.asOf, number: numberOf(reading.value) }),
  ])
}

/** Of the newest sheet, while it says the same as what is shown. */
function numberOf(value: DayAndSheet | undefined): number | undefined {
  const sheet = takenSheet(value?.sheet)
  return sheet !== undefined && isCurrent(sheet) ? sheet.sheet : undefined
}

/**
 * The sheet is taken when somebody prints: who only looks must not become what all others compare with. Without a
 * connection it is printed all the same, without a number.
 */
function usePrinting(date: string, reader: Reader<DayAndSheet>): () => void {
  const [isTaken, setTaken] = useState(false)
  const reading = reader.state.value
  const take = () => person.value!.sojourn.meals.sheet(date).catch(() => undefined)
  const printSheet = () =>
    void take().then(() => {
      // With its number, once that is read.
      reader.refresh()
      setTaken(true)
    })
  useEffect(() => {
    if (!isTaken || reading.isReading) return
    setTaken(false)
    print()
  }, [isTaken, reading])
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== 'p' || !(event.ctrlKey || event.metaKey)) return
      event.preventDefault()
      printSheet()
    }
    // From the browser's menu it has no number, but later changes are held against it.
    const onPrint = () => {
      if (numberOf(reader.state.peek().value) === undefined) void take()
    }
    addEventListener('keydown', onKey)
    addEventListener('beforeprint', onPrint)
    return () => {
      removeEventListener('keydown', onKey)
      removeEventListener('beforeprint', onPrint)
    }
  }, [reader])
  return printSheet
}

interface SheetProps {
  readonly day: PortionsDay
  readonly asOf: number
  readonly number: number | undefined
}

function Sheet({ day, asOf, number }: SheetProps): ComponentChild {
  const t = words.value
  const name = language.value
  const list = dayList(day)
  const { points, pages } = layOutSheet(list.guests, day.byDiet.length)
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
            number !== undefined && [h('b', null, t('sheetNumber', { n: number })), ' · '],
            t('asOfOnly', { time: timeOf(asOf) }),
          ]),
        ]),
        at === 0
          ? h(MealTable, { day, kind: 'paper', caption: `${t('portionsToCook')}: ${heading}` })
          : h(PlatesAgain, { day }),
        rows.length > 0 && h(People, { rows, list }),
        h('p', { class: 'end' }, [
          h('span', null, [
            at === pages.length - 1 && sayOthers(list),
            hasAllergies([day]) && ` ◆ ${t('allergy')}`,
          ]),
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

function sayOthers({ others, byEaters, bySkippers }: DayList): string {
  const t = words.value
  if (byEaters.length === 0) return t('othersEatAll', { n: others })
  return t('othersEat', { n: others, meals: namesOf(bySkippers) || t('noMeal') })
}

const namesOf = (meals: readonly Meal[]): string =>
  meals.map((meal) => inSentence(words.value(meal), language.value)).join(', ')

function People({
  rows,
  list,
}: {
  readonly rows: readonly ListedGuest[]
  readonly list: DayList
}): ComponentChild {
  const t = words.value
  // A column of which no page has anything takes the place of the others.
  const hasDiets = list.guests.some(({ diets }) => diets.length > 0)
  const skipped = ({ skips }: ListedGuest) => skips.filter((meal) => list.bySkippers.includes(meal))
  const eaten = ({ eats }: ListedGuest) => eats.filter((meal) => list.byEaters.includes(meal))
  const hasSkips = list.guests.some((guest) => skipped(guest).length > 0)
  const hasEaters = list.guests.some((guest) => eaten(guest).length > 0)
  const heads: readonly (WordKey | false)[] = [
    'room',
    'guest',
    hasDiets && 'diet',
    hasSkips && 'skips',
    hasEaters && 'eats',
  ]
  return h('table', { class: 'people' }, [
    h('caption', { class: 'vh' }, t('dietOrSkip')),
    h(
      'thead',
      null,
      h(
        'tr',
        null,
        heads.map((head) => head && h('th', { scope: 'col' }, t(head))),
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
          hasDiets &&
            h(
              'td',
              null,
              guest.diets.flatMap((diet, place): ComponentChildren[] => [
                place > 0 && ', ',
                h(DietName, { row: diet }),
              ]),
            ),
          hasSkips && h('td', null, namesOf(skipped(guest))),
          hasEaters && h('td', null, namesOf(eaten(guest))),
        ])
      }),
    ),
  ])
}
