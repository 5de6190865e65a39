/** Housekeeping: the rooms of the day, by what is to be done in them; without names. */
import type { Room, WordKey } from './console-parts.ts'
import type { Block, ReportDocument } from './document.ts'
import { everyPage, finishDocument, type Making, startWriting, type Writing } from './writing.ts'

const GROUPS = ['roomsChange', 'roomsLeave', 'roomsArrive', 'roomsStay', 'roomsUnknown', 'roomsFree'] as const

const COLUMNS = [
  ['departing', 'roomsColumnLeave'],
  ['movingOut', 'roomsColumnMoveOut'],
  ['arriving', 'roomsColumnArrive'],
  ['movingIn', 'roomsColumnMoveIn'],
  ['tonight', 'roomsColumnTonight'],
  ['beds', 'roomsColumnBeds'],
] as const satisfies readonly (readonly [keyof Room, WordKey])[]

export async function roomsSheet(making: Making): Promise<ReportDocument> {
  const writing = await startWriting(making)
  const { t, parts, language, day } = writing
  const { records: rooms, asked } = await everyPage<Room>(making, `/rooms?date=${day}`)
  const blocks: Block[] =
    rooms.length === 0
      ? [{ kind: 'paragraph', style: 'notice', text: t('noRooms') }]
      : [
          { kind: 'paragraph', text: summary(writing, rooms) },
          {
            kind: 'table',
            caption: t('rooms'),
            headings: [t('room'), ...COLUMNS.map(([, word]) => t(word)), t('roomsColumnFree')],
            rows: GROUPS.flatMap((group) => {
              const own = rooms.filter((room) => groupOf(room) === group)
              if (own.length === 0) return []
              const count = group === 'roomsUnknown' ? '' : ` · ${parts.numberText(own.length, language)}`
              return [
                { cells: [t(group) + count], isGroup: true },
                ...own.map((room) => ({ cells: cellsOf(writing, room), isStrong: hasTooMany(room) })),
              ]
            }),
            numbers: [1, 2, 3, 4, 5, 6],
          },
          { kind: 'paragraph', style: 'small', text: t('roomsNotHere') },
        ]
  return finishDocument(writing, {
    heading: [t('rooms'), `${parts.weekday(t, day)} ${parts.writtenDay(day, language)}`],
    page: t('rooms'),
    ages: ['bookings'],
    asked,
    blocks,
    file: {
      name: 'rooms',
      headings: ['id', 'name', 'date', 'guests', ...COLUMNS.map(([name]) => name), 'freeFrom'],
      rows: rooms.map((room) => [
        room.id,
        room.name,
        room.date,
        room.guests,
        ...COLUMNS.map(([name]) => room[name]),
        room.freeFrom,
      ]),
    },
  })
}

function groupOf({ id, guests, arriving, departing, movingIn, movingOut }: Room): (typeof GROUPS)[number] {
  const [leave, come] = [departing + movingOut > 0, arriving + movingIn > 0]
  if (id === null) return 'roomsUnknown'
  if (leave) return come ? 'roomsChange' : 'roomsLeave'
  return come ? 'roomsArrive' : guests > 0 ? 'roomsStay' : 'roomsFree'
}

const hasTooMany = ({ beds, tonight }: Room) => beds !== null && tonight > beds

function summary({ t }: Writing, rooms: readonly Room[]): string {
  const sum = (name: 'guests' | 'tonight') => rooms.reduce((total, room) => total + room[name], 0)
  const withoutBeds = rooms.filter(({ id, beds }) => id !== null && beds === null).length
  return [
    t('roomsInHouse', { n: sum('guests') }),
    t('roomsTonight', { n: sum('tonight') }),
    ...(withoutBeds > 0 ? [t('roomsWithoutBeds', { n: withoutBeds })] : []),
    ...(rooms.some(hasTooMany) ? [`! ${t('roomsTooMany')}`] : []),
  ].join(' · ')
}

/** No beds known is a dash; nobody who leaves is an empty cell, so that a look finds who does. */
function cellsOf({ t, parts, language }: Writing, room: Room): string[] {
  const counts = COLUMNS.map(([name]) => {
    const count = room[name]
    if (count === null) return '–'
    if (count === 0 && name !== 'beds' && name !== 'tonight') return ''
    const text = parts.numberText(count, language)
    return name === 'tonight' && hasTooMany(room) ? `! ${text}` : text
  })
  const free = room.freeFrom === null ? (room.id === null ? '–' : t('roomsNotFree')) : undefined
  return [room.name, ...counts, free ?? parts.writtenDay(room.freeFrom ?? '', language)]
}
