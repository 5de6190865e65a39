/** Actions that name one of the stored sheets of a day, or none of them. */
import type { Sql } from 'sql-template-tag'
import { errors } from '../../core/errors/api-error.ts'
import { isoMoment } from '../../core/locale/dates.ts'
import type { CenterId } from '../../core/records/centers/center.ts'
import { type Action, defineAction } from '../../core/request/action.ts'
import { dayField, ordinalOrNullField } from '../../core/request/action-body.ts'
import { object } from '../../core/request/object-schema.ts'
import { hasSheets } from './sheet-day.ts'
import { SHEET_RETENTION_DAYS, SHEETS_OF_DAY_MAX } from './sheets-sql.ts'
import { notStored } from './store-sheet.ts'

interface SheetAction extends Pick<Action, 'name' | 'summary' | 'description'> {
  /** descriptions of the number in the body, and in the answer */
  readonly asked: string
  readonly answered: string
  /** the name of the moment in the answer */
  readonly at: string
  readonly example: { readonly day: string; readonly sheet: number; readonly moment: string }
  /** Returns one row with `at`, or none if there is no such sheet. */
  choose(center: CenterId, day: string, number: number | null): Sql
}

/** Defines an action with the scope `meals.confirm`. */
export const sheetAction = ({
  name,
  summary,
  description,
  asked,
  answered,
  at,
  example: { day, sheet, moment },
  choose,
}: SheetAction): Action =>
  defineAction({
    name,
    summary,
    description,
    scope: 'meals.confirm',
    body: { day: dayField('Local day, `YYYY-MM-DD`.'), sheet: ordinalOrNullField(asked) },
    response: object({
      day: { type: 'string', format: 'date' },
      sheet: { type: ['integer', 'null'], minimum: 1, description: answered },
      [at]: { type: 'string', format: 'date-time' },
    }),
    example: { body: { day, sheet }, answer: { day, sheet, [at]: moment } },

    async perform({ center, today, body: { day, sheet }, query }) {
      // A sheet that exists shows that its day is stored.
      if (sheet === null && !hasSheets(day, today)) {
        throw errors.invalidParameters([{ parameter: 'day', message: notStored(day) }])
      }
      const [chosen] = await query<{ at: number }>(choose(center.id, day, sheet))
      if (chosen === undefined) {
        throw errors.notFound(
          `There is no sheet ${sheet} of ${day}. Store one with store-sheet; the newest ${SHEETS_OF_DAY_MAX} of a day are stored until ${SHEET_RETENTION_DAYS} days after it.`,
        )
      }
      return {
        answer: { day, sheet, [at]: isoMoment(chosen.at) },
        facts: { day, sheet: sheet === null ? 'none' : String(sheet) },
      }
    },
  })
