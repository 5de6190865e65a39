/** `POST /actions/acknowledge-changes`: the kitchen has seen the changes that came after the cut-offs of a day. */
import { errors } from '../errors/api-error.ts'
import { isoMoment } from '../locale/dates.ts'
import { defineAction } from '../request/action.ts'
import { dayField, ordinalOrNullField } from '../request/action-body.ts'
import { object } from '../request/object-schema.ts'
import { acknowledgeSheet } from './cut-offs-sql.ts'
import { isKept } from './sheet-day.ts'
import { SHEET_DAYS_KEPT, SHEETS_OF_DAY_MAX } from './sheets-sql.ts'
import { notKept } from './store-sheet.ts'

export const acknowledgeChanges = defineAction({
  name: 'acknowledge-changes',
  summary: 'Acknowledge the late changes of a day',
  description:
    'Says that the kitchen has seen the changes that came after the cut-offs of a day, up to a stored sheet of it. From then on, only changes after this sheet are late. With null, the last acknowledgement is taken back, and all changes after the cut-offs are late again. Store the day with `store-sheet` first, and look at its changes. `GET /changes` reports it as a change of `meals` on that day.',
  scope: 'meals.confirm',
  body: {
    day: dayField('Local day, `YYYY-MM-DD`.'),
    sheet: ordinalOrNullField(
      'Number of a stored sheet of the day that has the changes; null takes it back.',
    ),
  },
  response: object({
    day: { type: 'string', format: 'date' },
    sheet: { type: ['integer', 'null'], minimum: 1, description: 'number of the sheet, or null' },
    acknowledgedAt: { type: 'string', format: 'date-time' },
  }),
  example: {
    body: { day: '2025-01-16', sheet: 3 },
    answer: { day: '2025-01-16', sheet: 3, acknowledgedAt: '2025-01-15T11:02:31.482Z' },
  },

  async perform({ center, today, body: { day, sheet }, query }) {
    // A sheet that exists says by itself that its day is kept.
    if (sheet === null && !isKept(day, today)) {
      throw errors.invalidParameters([{ parameter: 'day', message: notKept(day) }])
    }
    const [done] = await query<{ acknowledged_at: number }>(acknowledgeSheet(center.id, day, sheet))
    if (done === undefined) {
      throw errors.notFound(
        `There is no sheet ${sheet} of ${day}. Store one with store-sheet; the newest ${SHEETS_OF_DAY_MAX} of a day are kept until ${SHEET_DAYS_KEPT} days after it.`,
      )
    }
    return {
      answer: { day, sheet, acknowledgedAt: isoMoment(done.acknowledged_at) },
      facts: { day, sheet: sheet === null ? 'none' : String(sheet) },
    }
  },
})
