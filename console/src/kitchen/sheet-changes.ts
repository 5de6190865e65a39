/** Whose meals have changed since the sheet, by room and time, and nobody by name. */
import { type ComponentChild, h } from 'preact'
import { localTime, writtenShort } from '../base/days.ts'
import { to } from '../base/routes.ts'
import { language, words } from '../base/signed-in.ts'
import { inSentence } from '../base/words.ts'
import { timeOf } from '../frame/states.ts'
import { today, zone } from './kitchen-reading.ts'
import { DietName } from './meal-table.ts'
import { MEALS } from './portions.ts'
import { type GuestChange, inOrder, isCurrent, type TakenSheet } from './sheet-marks.ts'

/** After an import there may be hundreds: the table has their sum. */
const SHOWN_MAX = 12
const ON_WALL_MAX = 4

/** 06:41, and of another day its date. */
export function whenOf(moment: string): string {
  const { day } = localTime(moment, zone())
  return day === today() ? timeOf(moment) : `${writtenShort(day, language.value)} ${timeOf(moment)}`
}

/** `Room 302`; a room with a name of its own keeps it. */
export function roomText(room: string | null): string {
  const t = words.value
  if (room === null) return t('noRoom')
  return /^\d/.test(room) ? `${t('room')} ${room}` : room
}

/** `Lunch −1, dinner −1` */
export function mealsText({ more, fewer }: Pick<GuestChange, 'more' | 'fewer'>): string {
  const t = words.value
  return MEALS.flatMap((meal) =>
    more.includes(meal) ? [`${t(meal)} +1`] : fewer.includes(meal) ? [`${t(meal)} −1`] : [],
  )
    .map((text, at) => (at === 0 ? text : inSentence(text, language.value)))
    .join(', ')
}

function otherText({ kind, roomWas }: GuestChange): string[] {
  const t = words.value
  return [
    ...(kind === 'came' ? [t('guestCame')] : kind === 'left' ? [t('guestLeft')] : []),
    ...(roomWas === undefined ? [] : [t('roomBefore', { room: roomText(roomWas) })]),
  ]
}

/** Beside the table. */
export function Since({
  date,
  sheet,
}: {
  readonly date: string
  readonly sheet: TakenSheet | undefined
}): ComponentChild {
  const t = words.value
  if (sheet === undefined) {
    return h('section', { class: 'since' }, [
      h('h2', null, t('noSheet')),
      h('p', { class: 'soft' }, t('noSheetWhy')),
    ])
  }
  const changes = inOrder(sheet.changes.guests)
  const shown = changes.slice(-SHOWN_MAX)
  return h('section', { class: 'since' }, [
    h('h2', null, t('sinceSheet', { time: whenOf(sheet.takenAt) })),
    h('p', { class: 'soft' }, [
      h('b', { class: 'sheet-number' }, t('sheetNumber', { n: sheet.sheet })),
      ' · ',
      isCurrent(sheet) ? t('noChange') : t('sinceSheetWhy'),
    ]),
    shown.length > 0 &&
      h(
        'ol',
        null,
        shown.map((change) => h(Change, { change, key: change.guestId })),
      ),
    changes.length > shown.length && h('p', { class: 'soft' }, `+ ${changes.length - shown.length}`),
    sheet.diets.withheld.length > 0 && h('p', { class: 'soft' }, t('changesWithoutDiets')),
    h('p', null, h('a', { class: 'btn', href: to('kitchen/day-sheet', { day: date }) }, t('printAgain'))),
  ])
}

function Change({ change }: { readonly change: GuestChange }): ComponentChild {
  const meals = mealsText(change)
  const room = roomText(change.room)
  const rest = [...(meals === '' ? [] : [room]), ...otherText(change)]
  return h('li', null, [
    change.changedAt === null
      ? h('span', null, '–')
      : h('time', { dateTime: change.changedAt }, whenOf(change.changedAt)),
    h('div', null, [
      h('b', null, meals === '' ? room : meals),
      rest.length > 0 && h('p', null, rest.join(' · ')),
      change.dietsAdded.map((diet) => h('p', null, [h(DietName, { row: diet }), ' +1'])),
      change.dietsRemoved.map((diet) => h('p', null, [h(DietName, { row: diet }), ' −1'])),
    ]),
  ])
}

/** The newest of them in a line for the wall. */
export function SinceOnWall({ sheet }: { readonly sheet: TakenSheet }): ComponentChild {
  const t = words.value
  const changes = inOrder(sheet.changes.guests)
  const shown = changes.slice(-ON_WALL_MAX).reverse()
  return h('p', { class: 'wall-since' }, [
    h('span', { class: changes.length > 0 ? 'chg' : 'soft' }, [
      t('sinceSheet', { time: whenOf(sheet.takenAt) }),
      changes.length === 0 && `: ${t('noChange')}`,
    ]),
    shown.map((change) => h('span', { key: change.guestId }, ` ${lineOf(change)}.`)),
    changes.length > shown.length && ` + ${changes.length - shown.length}`,
  ])
}

function lineOf(change: GuestChange): string {
  const diets = [
    ...change.dietsAdded.map(({ label }) => `${label} +1`),
    ...change.dietsRemoved.map(({ label }) => `${label} −1`),
  ]
  const meals = inSentence(mealsText(change), language.value)
  const what = [...otherText(change), ...(meals === '' ? [] : [meals]), ...diets].join(', ')
  const time = change.changedAt === null ? '' : `${whenOf(change.changedAt)} `
  return `${time}${roomText(change.room)}: ${what}`
}
