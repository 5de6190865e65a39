/** What is printed of a day: plates and diets to be read from two metres, then guests of whom a cook must know more. */
import { type ComponentChild, type ComponentChildren, h } from 'preact'
import { type DayList, dayList, MEAL_MARKS, mealMark } from '../../../src/documents/day-list.ts'
import { weekday, writtenDay } from '../../../src/documents/days.ts'
import { hasAllergies, MEALS, type PortionsDay } from '../../../src/documents/portions.ts'
import { hasReasons } from '../../../src/documents/reasons.ts'
import { shortRooms } from '../../../src/documents/short-names.ts'
import { language, person, words } from '../base/signed-in.ts'
import { DataAge } from '../frame/data-age.ts'
import { timeOf } from '../frame/states.ts'
import { PaperSheets, type PaperTable } from '../paper/paper-sheets.ts'
import { type Diets, DietsNotice, dietsShown } from './diets-shown.ts'
import { DietLine, DietName, MealColumns, MealTable } from './meal-table.ts'
import { namesOf, reasonTexts } from './reason-words.ts'

interface DayPaperProps {
  readonly day: PortionsDay
  readonly diets: Diets
  readonly asOf: number
  readonly number: number | undefined
}

/** Smaller where that saves a sheet; the smallest can still be read at arm’s length. */
const SIZES = ['', 'some', 'many'] as const

export function DayPaper({ day, diets, asOf, number }: DayPaperProps): ComponentChild {
  const t = words.value
  const name = language.value
  const list = dayList(day)
  const areDietsRead = dietsShown(diets) === 'all'
  const heading = `${weekday(t, day.date)} ${writtenDay(day.date, name)}`
  return h(
    'main',
    { id: 'main' },
    h(PaperSheets, {
      of: [day, diets, asOf, number, name],
      sizes: SIZES,
      header: (isFirst) => [
        h(isFirst ? 'h1' : 'h2', null, [
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
          h('br', null),
          h(DataAge, { kind: 'bookings' }),
        ]),
      ],
      above: (isFirst) => [
        isFirst
          ? h(MealTable, { day, kind: 'paper', diets, caption: `${t('portionsToCook')}: ${heading}` })
          : h(PlatesAgain, { day }),
        h(DietsNotice, { diets, on: 'sheet' }),
      ],
      tables: [dietsTable(day), peopleTable(day, list)],
      end: sayOthers(list, areDietsRead),
      note: [
        list.guests.length > 0 && t('mealMarks', MEAL_MARKS),
        hasAllergies([day]) && ` ◆ ${t('allergy')}`,
      ],
    }),
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

/** @param areDietsRead without them, nobody can be said to have none */
function sayOthers(list: DayList, areDietsRead: boolean): string {
  const { byAnswer } = list
  const said = othersText(list, areDietsRead)
  return areDietsRead && byAnswer !== undefined ? `${said} ${words.value('othersByAnswer', byAnswer)}` : said
}

function othersText({ others, byEaters, bySkippers }: DayList, areDietsRead: boolean): string {
  const t = words.value
  if (byEaters.length === 0) {
    return t(areDietsRead ? 'othersEatAll' : 'othersEatAllDietUnknown', { n: others })
  }
  const meals = namesOf(bySkippers) || t('noMeal')
  return t(areDietsRead ? 'othersEat' : 'othersEatDietUnknown', { n: others, meals })
}

/** Below the plates, in the same columns. */
function dietsTable(day: PortionsDay): PaperTable {
  const t = words.value
  return {
    class: 'meals diets',
    caption: t('dietsAndAllergies'),
    columns: h(MealColumns, null),
    head: h('tr', null, [
      h('th', { scope: 'col' }, h('span', { class: 'vh' }, t('diet'))),
      ...MEALS.map((meal) => h('th', { scope: 'col' }, t(meal))),
    ]),
    isJoined: true,
    rows: day.byDiet.map((row) => () => h(DietLine, { kind: 'paper', row })),
  }
}

/** Characters of a room that the narrow column has room for. */
const ROOM_CHARACTERS = 8

function peopleTable(day: PortionsDay, list: DayList): PaperTable {
  const t = words.value
  const { guests, served } = list
  const roomText = shortRooms((day.guestList ?? []).map(({ room }) => room))
  const rooms = guests.map(({ room }) => (room === null ? t('noRoom') : roomText(room)))
  const isWide = rooms.some((room) => room.length > ROOM_CHARACTERS)
  return {
    class: isWide ? 'people wide-rooms' : 'people',
    caption: t('listedGuests'),
    columns: h('colgroup', null, [
      ...['room', 'guest', 'diet'].map((name) => h('col', { class: `of-${name}` })),
      ...MEALS.map(() => h('col', { class: 'of-meal' })),
    ]),
    head: h('tr', null, [
      ...(['room', 'guest', 'diet'] as const).map((head) => h('th', { scope: 'col' }, t(head))),
      ...MEALS.map((meal) =>
        h('th', { scope: 'col', class: 'mark' }, h('abbr', { title: t(meal) }, t(SHORT[meal]))),
      ),
    ]),
    rows: guests.map((guest, at) => (isFirst) => {
      const { additional = 0, name, diets, room } = guest
      const isSame = !isFirst && guests[at - 1]?.room === room
      const why = hasReasons(guest) ? reasonTexts(guest, served).join('; ') : ''
      return h('tr', null, [
        h(
          'th',
          { scope: 'row', class: isSame ? 'r same' : 'r' },
          h('span', { class: isSame ? 'vh' : room === null ? 'none' : undefined }, rooms[at]),
        ),
        h('td', null, [
          name,
          additional > 0 && h('b', null, ` ${t('andWithoutName', { n: additional })}`),
          why !== '' && h('b', { class: 'why' }, why),
        ]),
        h(
          'td',
          null,
          diets.flatMap((diet, place): ComponentChildren[] => [
            place > 0 && ', ',
            h(DietName, { row: diet }),
          ]),
        ),
        ...MEALS.map((meal) => h('td', { class: 'mark' }, mealMark(guest, meal, served))),
      ])
    }),
  }
}

const SHORT = { breakfast: 'breakfastShort', lunch: 'lunchShort', dinner: 'dinnerShort' } as const
