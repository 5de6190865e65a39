/** What is printed of a day: plates and diets to be read from two metres, then guests of whom a cook must know more. */
import { type ComponentChild, type ComponentChildren, h } from 'preact'
import { weekday, writtenDay } from '../base/days.ts'
import { language, person, words } from '../base/signed-in.ts'
import type { WordKey } from '../base/words.ts'
import { DataAge } from '../frame/data-age.ts'
import { timeOf } from '../frame/states.ts'
import { type DayList, dayList, dayRow } from './day-list.ts'
import { type Diets, DietsNotice, dietsShown } from './diets-shown.ts'
import { DietName, dietText, MealTable } from './meal-table.ts'
import { hasAllergies, type ListedGuest, MEALS, type PortionsDay } from './portions.ts'
import { hereText, namesOf, reasonTexts } from './reason-words.ts'
import { layOutSheet, linesOfDiets, NOTICE_LINES, shortRoom } from './sheet-pages.ts'

interface DayPaperProps {
  readonly day: PortionsDay
  readonly diets: Diets
  readonly asOf: number
  readonly number: number | undefined
}

export function DayPaper({ day, diets, asOf, number }: DayPaperProps): ComponentChild {
  const t = words.value
  const name = language.value
  const list = dayList(day)
  const areDietsRead = dietsShown(diets) === 'all'
  const { points, pages } = layOutSheet(
    list.guests,
    linesOfDiets(day.byDiet.map((row) => ({ label: dietText(row) }))) + (areDietsRead ? 0 : NOTICE_LINES),
    (guest) => linesOfGuest(guest, list),
  )
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
            h('br', null),
            h(DataAge, { kind: 'bookings' }),
          ]),
        ]),
        at === 0
          ? h(MealTable, { day, kind: 'paper', diets, caption: `${t('portionsToCook')}: ${heading}` })
          : h(PlatesAgain, { day }),
        h(DietsNotice, { diets, on: 'sheet' }),
        rows.length > 0 && h(People, { rows, list }),
        h('p', { class: 'end' }, [
          h('span', null, [
            at === pages.length - 1 && sayOthers(list, areDietsRead),
            hasAllergies([day]) && ` ◆ ${t('allergy')}`,
          ]),
          h('span', null, t('pageOf', { n: at + 1, total: pages.length })),
        ]),
      ]),
    ),
  )
}

/** Characters of a line of each column, in the smallest width that it has next to all others. */
const COLUMN_CHARACTERS = 22

function linesOfGuest(guest: ListedGuest, list: DayList): number {
  const { additional = 0, name } = guest
  const cells = [
    `${name ?? ''}${additional > 0 ? ` ${words.value('andWithoutName', { n: additional })}` : ''}`,
    guest.diets.map(dietText).join(', '),
    dayRow(guest, list).hasReasons ? reasonTexts(guest, list.served).join('; ') : '',
  ]
  return Math.max(1, ...cells.map((text) => Math.ceil(text.length / COLUMN_CHARACTERS)))
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

function People({
  rows,
  list,
}: {
  readonly rows: readonly ListedGuest[]
  readonly list: DayList
}): ComponentChild {
  const t = words.value
  const all = list.guests.map((guest) => dayRow(guest, list))
  // A column of which no page has anything is not there.
  const has = {
    diet: list.guests.some(({ diets }) => diets.length > 0),
    here: all.some((row) => row.here !== undefined || row.hasReasons),
    skips: all.some(({ skips }) => skips.length > 0),
    eats: all.some(({ eats }) => eats.length > 0),
  }
  const heads: readonly (WordKey | false)[] = [
    'room',
    'guest',
    has.diet && 'diet',
    has.here && 'here',
    has.skips && 'skips',
    has.eats && 'eats',
  ]
  return h('table', { class: 'people' }, [
    h('caption', { class: 'vh' }, t('listedGuests')),
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
        const { here, hasReasons, skips, eats } = dayRow(guest, list)
        const { additional = 0 } = guest
        return h('tr', null, [
          h(RoomCell, { room: guest.room, isSame: at > 0 && rows[at - 1]?.room === guest.room }),
          h('td', null, [
            guest.name,
            additional > 0 && h('b', null, ` ${t('andWithoutName', { n: additional })}`),
          ]),
          has.diet &&
            h(
              'td',
              null,
              guest.diets.flatMap((diet, place): ComponentChildren[] => [
                place > 0 && ', ',
                h(DietName, { row: diet }),
              ]),
            ),
          has.here &&
            h(
              'td',
              { class: 'here' },
              hasReasons ? reasonTexts(guest, list.served).join('; ') : here && hereText(here),
            ),
          has.skips && h('td', null, namesOf(skips)),
          has.eats && h('td', null, namesOf(eats)),
        ])
      }),
    ),
  ])
}

function RoomCell({
  room,
  isSame,
}: {
  readonly room: string | null
  readonly isSame: boolean
}): ComponentChild {
  const text = room === null ? words.value('noRoom') : shortRoom(room)
  return h(
    'th',
    { scope: 'row', class: isSame ? 'r same' : 'r' },
    h('span', { class: isSame ? 'vh' : room === null ? 'none' : undefined }, text),
  )
}
