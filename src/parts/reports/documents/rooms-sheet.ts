/** Housekeeping: the rooms of the day, by what is to be done in them; without names. */
import type { Room } from '../../../../client/src/openapi.ts'
import { weekday, writtenDay } from '../../../documents/days.ts'
import { numberText } from '../../../documents/numbers.ts'
import {
  freeFromText,
  groupOfRoom,
  hasTooMany,
  ROOM_COLUMNS,
  ROOM_GROUPS,
  roomCellText,
  roomsSummary,
} from '../../../documents/room-rules.ts'
import type { Block, ReportDocument } from './document.ts'
import { everyPage, finishDocument, type Making, startWriting, type Writing } from './writing.ts'

export async function roomsSheet(making: Making): Promise<ReportDocument> {
  const writing = startWriting(making)
  const { t, language, day } = writing
  const { records: rooms, asked } = await everyPage<Room>(making, `/rooms?date=${day}`)
  const blocks: Block[] =
    rooms.length === 0
      ? [{ kind: 'paragraph', style: 'notice', text: t('noRooms') }]
      : [
          { kind: 'paragraph', text: summary(writing, rooms) },
          {
            kind: 'table',
            caption: t('rooms'),
            headings: [t('room'), ...ROOM_COLUMNS.map(([, word]) => t(word)), t('roomsColumnFree')],
            rows: ROOM_GROUPS.flatMap((group) => {
              const own = rooms.filter((room) => groupOfRoom(room) === group)
              if (own.length === 0) return []
              const count = group === 'roomsUnknown' ? '' : ` · ${numberText(own.length, language)}`
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
    heading: [t('rooms'), `${weekday(t, day)} ${writtenDay(day, language)}`],
    page: t('rooms'),
    ages: ['bookings'],
    asked,
    blocks,
    file: {
      name: 'rooms',
      headings: ['id', 'name', 'date', 'guests', ...ROOM_COLUMNS.map(([name]) => name), 'freeFrom'],
      rows: rooms.map((room) => [
        room.id,
        room.name,
        room.date,
        room.guests,
        ...ROOM_COLUMNS.map(([name]) => room[name]),
        room.freeFrom,
      ]),
    },
  })
}

/** As above the table of the page. */
const summary = ({ t }: Writing, rooms: readonly Room[]): string =>
  [...roomsSummary(t, rooms), ...(rooms.some(hasTooMany) ? [`! ${t('roomsTooMany')}`] : [])].join(' · ')

const cellsOf = ({ t, language }: Writing, room: Room): string[] => [
  room.name,
  ...ROOM_COLUMNS.map(([name]) => roomCellText(room, name, language)),
  freeFromText(t, room, language),
]
