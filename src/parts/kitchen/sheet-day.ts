/** The portions of a day as they are stored in a sheet: for everybody alike, in the center's language, with all diets. */
import type { Sql } from 'sql-template-tag'
import { type GuestFilters, guestsMatching } from '../../core/api/guests/guests-sql.ts'
import { addDays, isLocalDate } from '../../core/locale/dates.ts'
import type { Center } from '../../core/records/centers/center.ts'
import { resolveBounds } from '../../core/request/bounds.ts'
import type { Rows } from '../../core/request/operation.ts'
import { quote } from '../../core/request/parameters.ts'
import { dietsFor, type PortionGuests } from './meal-portions.ts'
import type { StayScope } from './portion-stays.ts'
import { type PortionColumns, portionColumns, selectAllPortions } from './portions-sql.ts'
import { sheetContent } from './sheet-content.ts'
import type { SheetNotes } from './sheets-sql.ts'

/** Nobody prints further ahead, and every day may have its sheets. */
export const DAYS_AHEAD_MAX = 31

/** Whether sheets of the day are stored. @param today the center's local day */
export const hasSheets = (day: string, today: string): boolean =>
  day >= addDays(today, -1) && day <= addDays(today, DAYS_AHEAD_MAX)

/** @returns a sentence if it is not a day */
export const dayProblem = (day: string): string | undefined =>
  isLocalDate(day) ? undefined : `${quote(day)} is not a date. Give a day that exists as YYYY-MM-DD.`

export interface SheetDay {
  /** with all diets of the center, because all users share one sheet */
  readonly scope: StayScope
  readonly statement: Sql
  /** the guests whose changes a sheet shows */
  readonly guests: ReturnType<typeof guestsMatching>
  readonly notes: SheetNotes
  /** @param rows of the statement @returns the content of a sheet */
  contentOf(rows: Rows): string
}

export function sheetDayOf(center: Center, day: string): SheetDay {
  const { bounds } = resolveBounds({ startDate: day, endDate: day }, center.timezone)
  const filters: GuestFilters = {
    ...bounds,
    sessionIds: undefined,
    statusesExclude: center.mealReportExcludedStatuses,
  }
  const { all } = dietsFor(center, 'all')
  const columns: PortionColumns = { language: center.language, diets: all, withNames: false }
  const scope: StayScope = {
    sessionId: undefined,
    days: { first: day, last: day },
    zone: center.timezone,
    rules: center.mealRules,
    diets: all,
    words: { noProgram: '', noRoom: '' },
  }
  const guests = guestsMatching(filters, portionColumns(columns))
  return {
    scope,
    statement: selectAllPortions(center.id, filters, columns),
    guests,
    notes: { ...guests, from: bounds.lower, to: bounds.upper },
    contentOf(rows) {
      const [, stays, terms] = rows[0] as readonly unknown[] as PortionGuests
      return sheetContent(stays, terms, day, scope)
    },
  }
}
