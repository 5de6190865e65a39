/** Housekeeping: the rooms of the day, by what is to be done in them; without names. */
import type { Room } from './console-parts.ts'
import type { Block, ReportDocument } from './document.ts'
import { everyPage, finishDocument, type Making, startWriting, type Writing } from './writing.ts'

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
            headings: [t('room'), ...parts.ROOM_COLUMNS.map(([, word]) => t(word)), t('roomsColumnFree')],
            rows: parts.ROOM_GROUPS.flatMap((group) => {
              const own = rooms.filter((room) => parts.groupOfRoom(room) === group)
              if (own.length === 0) return []
              const count = group === 'roomsUnknown' ? '' : ` · ${parts.numberText(own.length, language)}`
              return [
                { cells: [t(group) + count], isGroup: true },
                ...own.map((room) => ({ cells: cellsOf(writing, room), isStrong: parts.hasTooMany(room) })),
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
      headings: ['id', 'name', 'date', 'guests', ...parts.ROOM_COLUMNS.map(([name]) => name), 'freeFrom'],
      rows: rooms.map((room) => [
        room.id,
        room.name,
        room.date,
        room.guests,
        ...parts.ROOM_COLUMNS.map(([name]) => room[name]),
        room.freeFrom,
      ]),
    },
  })
}

/** As above the table of the page. */
const summary = ({ t, parts }: Writing, rooms: readonly Room[]): string =>
  [...parts.roomsSummary(t, rooms), ...(rooms.some(parts.hasTooMany) ? [`! ${t('roomsTooMany')}`] : [])].join(
    ' · ',
  )

const cellsOf = ({ t, parts, language }: Writing, room: Room): string[] => [
  room.name,
  ...parts.ROOM_COLUMNS.map(([name]) => parts.roomCellText(room, name, language)),
  parts.freeFromText(t, room, language),
]
