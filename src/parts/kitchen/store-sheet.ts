/** `POST /actions/store-sheet`: stores the portions of a day as a numbered sheet, to be printed. */
import { errors } from '../../core/errors/api-error.ts'
import { isoMoment } from '../../core/locale/dates.ts'
import { defineAction } from '../../core/request/action.ts'
import { dayField } from '../../core/request/action-body.ts'
import { atLeastOne, day, moment, object } from '../../core/request/object-schema.ts'
import { DAYS_AHEAD_MAX, hasSheets, sheetDayOf } from './sheet-day.ts'
import { takeSheet } from './sheets-sql.ts'

/** How often it is tried if others store a sheet at the same moment. */
const ATTEMPTS_MAX = 3

export const storeSheet = defineAction({
  name: 'store-sheet',
  summary: 'Store a kitchen sheet to print it',
  description: `Stores the portions of a day as they are now as a numbered sheet, and returns its number, which is printed on it. If nothing has changed since the newest sheet, that one is returned. Nothing is compared with it yet: once it is printed, confirm with \`confirm-sheet\` that it is on the wall. Sheets are stored for days from yesterday to ${DAYS_AHEAD_MAX} days ahead.`,
  scope: 'meals.confirm',
  body: { day: dayField('Local day, `YYYY-MM-DD`.') },
  response: object({
    day: day(),
    sheet: atLeastOne('number of the sheet'),
    takenAt: moment('when it was stored'),
  }),
  example: {
    body: { day: '2025-01-16' },
    answer: { day: '2025-01-16', sheet: 2, takenAt: '2025-01-16T06:12:31.482Z' },
  },

  async perform({ center, today, body: { day }, query }) {
    if (!hasSheets(day, today))
      throw errors.invalidParameters([{ parameter: 'day', message: notStored(day) }])
    const { statement, contentOf } = sheetDayOf(center, day)
    const rows = (await query(statement)).map((row) => Object.values(row))
    const content = contentOf(rows)
    for (let attempt = 1; attempt <= ATTEMPTS_MAX; attempt += 1) {
      const [taken] = await query<{ number: number; taken_at: number }>(
        takeSheet(center.id, day, content, true),
      )
      if (taken === undefined) continue
      return {
        answer: { day, sheet: taken.number, takenAt: isoMoment(taken.taken_at) },
        facts: { day, sheet: String(taken.number) },
      }
    }
    throw errors.unavailable()
  },
})

export const notStored = (day: string): string =>
  `Sheets are stored for days from yesterday to ${DAYS_AHEAD_MAX} days ahead; ${day} is not one of them.`
