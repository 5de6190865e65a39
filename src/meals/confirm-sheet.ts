/** `POST /actions/confirm-sheet`: a person confirms which sheet of a day is on the wall. */
import { errors } from '../errors/api-error.ts'
import { isoMoment } from '../locale/dates.ts'
import { defineAction } from '../request/action.ts'
import { dayField, ordinalOrNullField } from '../request/action-body.ts'
import { object } from '../request/object-schema.ts'
import { isKept } from './sheet-day.ts'
import { confirmOnWall, SHEET_DAYS_KEPT, SHEETS_OF_DAY_MAX } from './sheets-sql.ts'
import { notKept } from './store-sheet.ts'

export const confirmSheet = defineAction({
  name: 'confirm-sheet',
  summary: 'Confirm which kitchen sheet is on the wall',
  description:
    'Says which numbered sheet of a day is on the wall, or with null that none is. From then on, every screen compares the day with this sheet, and `GET /meals/sheets/{day}` returns it with `sheet=wall`. `GET /changes` reports it as a change of `meals` on that day. Confirming another sheet later replaces it.',
  scope: 'meals.confirm',
  body: {
    day: dayField('Local day, `YYYY-MM-DD`.'),
    sheet: ordinalOrNullField('Number of a stored sheet of the day; null if none is on the wall.'),
  },
  response: object({
    day: { type: 'string', format: 'date' },
    sheet: { type: ['integer', 'null'], minimum: 1, description: 'number of the sheet on the wall, or null' },
    confirmedAt: { type: 'string', format: 'date-time' },
  }),
  example: {
    body: { day: '2025-01-16', sheet: 2 },
    answer: { day: '2025-01-16', sheet: 2, confirmedAt: '2025-01-16T06:14:02.117Z' },
  },

  async perform({ center, today, body: { day, sheet }, query }) {
    // A sheet that exists says by itself that its day is kept.
    if (sheet === null && !isKept(day, today)) {
      throw errors.invalidParameters([{ parameter: 'day', message: notKept(day) }])
    }
    const [confirmed] = await query<{ confirmed_at: number }>(confirmOnWall(center.id, day, sheet))
    if (confirmed === undefined) {
      throw errors.notFound(
        `There is no sheet ${sheet} of ${day}. Store one with store-sheet; the newest ${SHEETS_OF_DAY_MAX} of a day are kept until ${SHEET_DAYS_KEPT} days after it.`,
      )
    }
    return {
      answer: { day, sheet, confirmedAt: isoMoment(confirmed.confirmed_at) },
      facts: { day, sheet: sheet === null ? 'none' : String(sheet) },
    }
  },
})
