/** `GET /rooms`: the rooms of a day, with how many guests are in each and when it is free; no names of people. */
import { writeFile } from '../../answer/files/write-file.ts'
import { listOperation } from '../../lists/list-operation.ts'
import { pageSchema } from '../../lists/page-schema.ts'
import { daysOfLocalDate, localDateOfDays } from '../../locale/civil.ts'
import { labelOf } from '../../locale/labels.ts'
import { inactiveStatuses } from '../../records/fields/active-statuses.ts'
import { ROOM } from '../../records/room.ts'
import { costOf, resolveBounds, spanOf } from '../../request/bounds.ts'
import type { Rows } from '../../request/operation.ts'
import { dateParameter } from '../../request/parameter-kinds.ts'
import { type RoomDay, roomMembers, roomValues, selectAllRooms, selectRooms } from './rooms-sql.ts'

/** A room that is not free within a year is not looked at for longer: every stay until then is read. */
const DAYS_AHEAD = 366

/** The last local day that a date has. */
const LAST_DAY = '9999-12-31'

const date = dateParameter({
  description: "The day, in the center's time zone. By default today.",
})

/** One position of a row, which only a page without rooms lacks. */
const GUESTS_OF_ROW = 'guests'

export const listRooms = listOperation({
  name: 'listRooms',
  summary: 'Rooms of a day',
  description: `The rooms on a day: beds, and how many guests are in each, arrive, leave, move in and out, and from when it is free. Every room of the center (terms of the set \`room\`) is listed, every other room that a guest is in, and one row with \`id\` null for guests whose room nobody knows, so the guests of all rows are those in the house. Only active bookings count. A guest who moves is in the new room from the day of the move. \`freeFrom\` looks ${DAYS_AHEAD} days ahead. No names of people. By identifier.`,
  path: '/rooms',
  scope: 'rooms',
  response: pageSchema(ROOM),
  fileName: 'rooms',
  dependsOn: ['today'],
  hasPages: true,
  followsChanges: false,
  parameters: { date },
  shows: {},
  needsDates: false,
  datesOf: () => ({ startDate: undefined, endDate: undefined }),

  read({ values }, context) {
    const { center, language, today } = context
    const asked = values.date ?? today
    const last = daysOfLocalDate(asked) + DAYS_AHEAD
    const lastNight = last > daysOfLocalDate(LAST_DAY) ? LAST_DAY : localDateOfDays(last)
    const { bounds } = resolveBounds({ startDate: asked, endDate: lastNight }, center.timezone)
    const { lower = '', upper = '' } = bounds
    const day: RoomDay = {
      ...{ center: center.id, zone: center.timezone, date: asked, lastNight, bounds: { lower, upper } },
      inactive: inactiveStatuses(center),
    }
    const form = ROOM.form({})
    const shown = ROOM.select(language, roomValues(labelOf(language, 'portion', 'noRoom'), day))
    const dependencies = [{ kind: ROOM.kind, during: spanOf(bounds), columns: form.readColumns }]
    return {
      requiredScopes: [],
      problems: [],
      plan: ({ page }) => ({
        normal: [asked, page],
        cost: costOf({ bounds, sessions: 0, daysPerCost: 31 }),
        dependencies,
        pageDependencies: () => dependencies,
        members: () => roomMembers(day, language),
        statement: selectRooms(day, language, page, shown),
        present(found) {
          const total = found[0]?.at(-1) as number
          const rows = found.filter((row) => ROOM.read(row, GUESTS_OF_ROW) !== null)
          return {
            body: form.listJson(rows, context, DATA, Buffer.from(`],"total":${total}}`)),
            page: { ...page, total },
            revision: (found[0]?.[0] ?? 0) as number,
            records: { count: rows.length, ids: rows.map(idOf) },
          }
        },
        file: (file) => ({
          isNamed: false,
          rowsPerChunk: ROWS_PER_CHUNK,
          reading: () => ({
            statement: selectAllRooms(day, language, shown),
            rowsAfter: undefined,
            async *write(chunks, manifest) {
              async function* records() {
                for await (const rows of chunks) {
                  yield JSON.parse(form.listJson(rows, context, OPEN, CLOSE).toString())
                }
              }
              const written = { name: 'rooms', columns: form.columns, zone: center.timezone }
              yield* writeFile(file, written, records(), manifest)
            },
          }),
        }),
      }),
    }
  },
})

const DATA = Buffer.from('{"data":[')
const OPEN = Buffer.from('[')
const CLOSE = Buffer.from(']')
const ROWS_PER_CHUNK = 100

const idOf = (row: Rows[number]): string => (ROOM.read(row, ROOM.key) as string | null) ?? ''
