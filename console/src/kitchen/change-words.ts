/** A change since a sheet in words, by room and time, and nobody by name. */
import { localTime, writtenShort } from '../../../src/documents/days.ts'
import { MEALS } from '../../../src/documents/portions.ts'
import { inSentence } from '../../../src/documents/words.ts'
import { language, words } from '../base/signed-in.ts'
import { timeOf } from '../frame/states.ts'
import type { ChangeGroup } from './change-groups.ts'
import { today, zone } from './kitchen-reading.ts'
import { dietText } from './meal-table.ts'
import { signed } from './sheet-marks.ts'

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
export const mealsText = ({ portions }: Pick<ChangeGroup, 'portions'>): string =>
  MEALS.filter((meal) => portions[meal] !== 0)
    .map((meal) => `${words.value(meal)} ${signed(portions[meal])}`)
    .map((text, at) => (at === 0 ? text : inSentence(text, language.value)))
    .join(', ')

/** Who it is: a room, or how many guests. */
export function whoText({ changes, kind }: ChangeGroup): string {
  const t = words.value
  const [one] = changes
  if (one !== undefined && changes.length === 1) return roomText(one.room)
  const n = changes.length
  return t(kind === 'came' ? 'guestsCame' : kind === 'left' ? 'guestsLeft' : 'guestsChanged', { n })
}

/** What else has changed, if it is not said yet. */
export function otherTexts({ changes, kind, moved }: ChangeGroup): string[] {
  const t = words.value
  const [one] = changes
  if (one === undefined || changes.length > 1) return moved === 0 ? [] : [t('guestsMoved', { n: moved })]
  return [
    ...(kind === 'came' ? [t('guestCame')] : kind === 'left' ? [t('guestLeft')] : []),
    ...(one.additional === undefined ? [] : [t('additionalPeople')]),
    ...(one.roomWas === undefined ? [] : [t('roomBefore', { room: roomText(one.roomWas) })]),
  ]
}

/** The whole group in one line, for a wall. */
export function lineText(group: ChangeGroup): string {
  const diets = group.diets.map(
    ({ diet, by }) => `${diet.allergy ? '◆\u00a0' : ''}${dietText(diet)} ${signed(by)}`,
  )
  const meals = inSentence(mealsText(group), language.value)
  const what = [...otherTexts(group), ...(meals === '' ? [] : [meals]), ...diets].join(', ')
  const time = group.changedAt === null ? '' : `${whenOf(group.changedAt)} `
  // Of a group, who it is ends with a number, so what follows is no second colon.
  const mark = group.changes.length > 1 ? ', ' : ': '
  return `${time}${whoText(group)}${what === '' ? '' : `${mark}${what}`}`
}
