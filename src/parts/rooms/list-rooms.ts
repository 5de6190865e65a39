/** `GET /rooms`: the rooms of a day, with how many guests are in each and when it is free; no names of people. */
import { listOperation } from '../../core/lists/list-operation.ts'
import { fileOf, presentPage } from '../../core/lists/shown-records.ts'
import { daysOfLocalDate, localDateOfDays } from '../../core/locale/civil.ts'
import { labelOf } from '../../core/locale/labels.ts'
import { inactiveStatuses } from '../../core/records/fields/active-statuses.ts'
import { ROOM } from '../../core/records/room.ts'
import { costOf, resolveBounds, spanOf } from '../../core/request/bounds.ts'
import { firstRevision } from '../../core/request/operation.ts'
import { dateParameter } from '../../core/request/parameter-kinds.ts'
import { type RoomDay, roomMembers, roomValues, selectAllRooms, selectRooms } from './rooms-sql.ts'

/** A room that is not free within a year is not looked at for longer: every stay until then is read. */
const DAYS_AHEAD = 366

/** The last local day that a date has. */
const LAST_DAY = '9999-12-31'

const date = dateParameter({
  description: "The day, in the center's time zone. By default today.",
})

export const listRooms = listOperation({
  name: 'listRooms',
  summary: 'Rooms of a day',
  description: `The rooms on a day: beds, and how many guests are in each, arrive, leave, move in and out, and from when it is free. Every room of the center (terms of the set \`room\`) is listed, every other room that a guest is in, and one row with \`id\` null for guests whose room nobody knows, so the guests of all rows are those in the house. Only active bookings count. A guest who moves is in the new room from the day of the move. \`freeFrom\` looks ${DAYS_AHEAD} days ahead. No names of people. By identifier.`,
  path: '/rooms',
  scope: 'rooms',
  record: ROOM,
  example: {
    request: '/rooms?date=2025-01-16&length=1',
    answer: {
      data: [
        {
          ...{ id: 'room-101', name: 'Room 101', date: '2025-01-16', beds: 2 },
          ...{ guests: 0, arriving: 0, departing: 0, movingIn: 0, movingOut: 0, tonight: 0 },
          freeFrom: '2025-01-16',
        },
      ],
      total: 15,
    },
  },
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
    const records = { record: ROOM, form: ROOM.listed({}), context: { center, language } }
    const shown = ROOM.select(language, roomValues(labelOf(language, 'portion', 'noRoom'), day))
    const dependencies = [{ kind: ROOM.kind, during: spanOf(bounds), columns: records.form.readColumns }]
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
        revisionOf: firstRevision,
        present: (found) => presentPage(records, found, page),
        file: (file) => {
          const statement = selectAllRooms(day, language, shown)
          return fileOf(records, file, statement)
        },
      }),
    }
  },
})
