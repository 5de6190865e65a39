/** What the table of rooms says of each, on the page and in a report: which group a room belongs to, and what is in its cells. */
import type { Room } from '../../client/src/openapi.ts'
import { writtenDay } from './days.ts'
import { numberText } from './numbers.ts'
import type { WordKey, Words } from './words.ts'

/** In the order of the table, by what is to be done. */
export const ROOM_GROUPS = [
  'roomsChange',
  'roomsLeave',
  'roomsArrive',
  'roomsStay',
  'roomsUnknown',
  'roomsFree',
] as const

export function groupOfRoom({
  id,
  guests,
  arriving,
  departing,
  movingIn,
  movingOut,
}: Room): (typeof ROOM_GROUPS)[number] {
  const [leave, come] = [departing + movingOut > 0, arriving + movingIn > 0]
  if (id === null) return 'roomsUnknown'
  if (leave) return come ? 'roomsChange' : 'roomsLeave'
  return come ? 'roomsArrive' : guests > 0 ? 'roomsStay' : 'roomsFree'
}

export const ROOM_COLUMNS = [
  ['departing', 'roomsColumnLeave'],
  ['movingOut', 'roomsColumnMoveOut'],
  ['arriving', 'roomsColumnArrive'],
  ['movingIn', 'roomsColumnMoveIn'],
  ['tonight', 'roomsColumnTonight'],
  ['beds', 'roomsColumnBeds'],
] as const satisfies readonly (readonly [keyof Room, WordKey])[]

export type RoomColumn = (typeof ROOM_COLUMNS)[number][0]

export const hasTooMany = ({ beds, tonight }: Room): boolean => beds !== null && tonight > beds

/** The sentences above the table; too many guests for the beds of a room is a sentence of its own. */
export function roomsSummary(t: Words, rooms: readonly Room[]): string[] {
  const sum = (name: 'guests' | 'tonight') => rooms.reduce((total, room) => total + room[name], 0)
  const withoutBeds = rooms.filter(({ id, beds }) => id !== null && beds === null).length
  return [
    t('roomsInHouse', { n: sum('guests') }),
    t('roomsTonight', { n: sum('tonight') }),
    ...(withoutBeds > 0 ? [t('roomsWithoutBeds', { n: withoutBeds })] : []),
  ]
}

/** No beds known is a dash; nobody who leaves is an empty cell, so that a look finds who does. */
export function roomCellText(room: Room, name: RoomColumn, language: string): string {
  const count = room[name]
  if (count === null) return '–'
  if (count === 0 && name !== 'beds' && name !== 'tonight') return ''
  const text = numberText(count, language)
  return name === 'tonight' && hasTooMany(room) ? `! ${text}` : text
}

/** The day from which the room is free; guests without a room have none. */
export function freeFromText(t: Words, { id, freeFrom }: Room, language: string): string {
  if (freeFrom !== null) return writtenDay(freeFrom, language)
  return id === null ? '–' : t('roomsNotFree')
}
