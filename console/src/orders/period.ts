/** The days that the page of orders shows: a month, or a range of at most a year. */
import { addDays, daysBetween, isDay, monthName, writtenDay } from '../../../src/documents/days.ts'
import type { Words } from '../../../src/documents/words.ts'

export interface Period {
  readonly startDate: string
  readonly endDate: string
}

/** As the service takes it. */
const DAYS_MAX = 366

/** The whole month of a day. */
export function monthOf(day: string): Period {
  const startDate = `${day.slice(0, 7)}-01`
  return { startDate, endDate: addDays(monthAfter(startDate), -1) }
}

/** The first day of the next month, and of the one before. */
export const monthAfter = (day: string): string => `${addDays(`${day.slice(0, 7)}-28`, 4).slice(0, 7)}-01`
export const monthBefore = (day: string): string => `${addDays(`${day.slice(0, 7)}-01`, -1).slice(0, 7)}-01`

/** Whether both are days, in order, and no more than the service takes. */
export const isPeriod = ({ startDate, endDate }: Period): boolean =>
  isDay(startDate) && isDay(endDate) && startDate <= endDate && daysBetween(startDate, endDate) < DAYS_MAX

/** A month by its name, any other period by its days. */
export function nameOfPeriod(t: Words, { startDate, endDate }: Period, language: string): string {
  const month = monthOf(startDate)
  return month.startDate === startDate && month.endDate === endDate
    ? `${monthName(t, Number(startDate.slice(5, 7)))} ${startDate.slice(0, 4)}`
    : `${writtenDay(startDate, language)} – ${writtenDay(endDate, language)}`
}
