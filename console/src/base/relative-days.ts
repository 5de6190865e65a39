/** Days relative to today in the address of a page, as the service takes them: `today`, `today+6`, `month-end-1m`. */

import { addDays, daysBetween, isDay } from '../../../src/documents/days.ts'
import type { Query } from './address.ts'

const WORDS: Readonly<Record<string, (day: string) => string>> = {
  today: (day) => day,
  tomorrow: (day) => addDays(day, 1),
  yesterday: (day) => addDays(day, -1),
  'week-start': (day) => addDays(day, 1 - dayOfWeek(day)),
  'week-end': (day) => addDays(day, 7 - dayOfWeek(day)),
  'month-start': (day) => `${day.slice(0, 7)}-01`,
  'month-end': (day) => lastOfMonth(day.slice(0, 7)),
  'year-start': (day) => `${day.slice(0, 4)}-01-01`,
  'year-end': (day) => `${day.slice(0, 4)}-12-31`,
}

const RELATIVE_DAY = /^([a-z]+(?:-[a-z]+)?)(?:([-+ ])(\d{1,4})([dwmy]?))?$/

/** @returns the day; undefined if the text is no relative day */
export function relativeDay(text: string, today: string): string | undefined {
  const [, word = '', sign, count = '0', unit = ''] = RELATIVE_DAY.exec(text) ?? []
  const dayOf = Object.hasOwn(WORDS, word) ? WORDS[word] : undefined
  if (dayOf === undefined) return undefined
  const by = Number(count) * (sign === '-' ? -1 : 1)
  // Months and years are added before the first or last day is taken: the end of next month is month-end+1m.
  if (unit === 'm' || unit === 'y') {
    const moved = addMonths(today, unit === 'y' ? by * 12 : by)
    return isDay(moved) ? dayOf(moved) : undefined
  }
  const day = addDays(dayOf(today), unit === 'w' ? by * 7 : by)
  return isDay(day) ? day : undefined
}

/** A day of an address, relative or not; undefined if it is neither. */
export const dayIn = (text: string, today: string): string | undefined =>
  isDay(text) ? text : relativeDay(text, today)

const DAY_NAMES = ['startDate', 'endDate', 'arriving', 'inHouse', 'departing']

/** The address of a list with its days relative to today: a whole month by months, any other day by days. */
export function relativeAddress(address: Query, today: string): Record<string, string> {
  const { startDate = '', endDate = '' } = address
  const months = isDay(startDate) && isDay(endDate) ? monthsTo(startDate, endDate, today) : undefined
  const isMonth = months !== undefined
  return Object.fromEntries(
    Object.entries(address).map(([name, text]) => {
      if (!DAY_NAMES.includes(name) || !isDay(text)) return [name, text]
      if (isMonth && name === 'startDate') return [name, `month-start${signed(months, 'm')}`]
      if (isMonth && name === 'endDate') return [name, `month-end${signed(months, 'm')}`]
      return [name, `today${signed(daysBetween(today, text), '')}`]
    }),
  )
}

/** Whether the address of a list has days. */
export const hasDays = (address: Query): boolean => DAY_NAMES.some((name) => Object.hasOwn(address, name))

/** Whether one of them is relative. */
export const isRelativeAddress = (address: Query): boolean =>
  DAY_NAMES.some((name) => Object.hasOwn(address, name) && !isDay(address[name] ?? ''))

const signed = (count: number, unit: string): string =>
  count === 0 ? '' : `${count > 0 ? '+' : ''}${count}${unit}`

/** How many months after today's the range is, if it is a whole month. */
function monthsTo(startDate: string, endDate: string, today: string): number | undefined {
  if (startDate !== `${startDate.slice(0, 7)}-01` || endDate !== lastOfMonth(startDate.slice(0, 7))) {
    return undefined
  }
  const count = (day: string) => Number(day.slice(0, 4)) * 12 + Number(day.slice(5, 7))
  return count(startDate) - count(today)
}

/** From 1 for Monday, as in ISO 8601. */
const dayOfWeek = (day: string): number => new Date(`${day}T00:00:00Z`).getUTCDay() || 7

const lastOfMonth = (month: string): string => addDays(`${addDays(`${month}-28`, 4).slice(0, 7)}-01`, -1)

/** The last day of a shorter month. */
function addMonths(day: string, count: number): string {
  const months = Number(day.slice(0, 4)) * 12 + Number(day.slice(5, 7)) - 1 + count
  const year = String(Math.floor(months / 12)).padStart(4, '0')
  if (!/^\d{4}$/.test(year)) return ''
  const month = `${year}-${String((months % 12) + 1).padStart(2, '0')}`
  const last = lastOfMonth(month)
  return `${month}-${day.slice(8)}` < last ? `${month}-${day.slice(8)}` : last
}
