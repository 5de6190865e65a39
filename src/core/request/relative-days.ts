/**
 * Relative days in a query: `today`, `tomorrow`, `today+6`, `month-end-1m`. They become local days of the center before
 * anything else is read of the request, so caches, links to other pages and the audit trail have the days themselves.
 */
import { isLocalDate } from '../locale/dates.ts'
import type { ParameterTable } from './parameters.ts'

const WORDS: Readonly<Record<string, (day: Temporal.PlainDate) => Temporal.PlainDate>> = {
  today: (day) => day,
  tomorrow: (day) => day.add({ days: 1 }),
  yesterday: (day) => day.subtract({ days: 1 }),
  // Weeks begin on Monday, as in ISO 8601.
  'week-start': (day) => day.subtract({ days: day.dayOfWeek - 1 }),
  'week-end': (day) => day.add({ days: 7 - day.dayOfWeek }),
  'month-start': (day) => day.with({ day: 1 }),
  'month-end': (day) => day.with({ day: day.daysInMonth }),
  'year-start': (day) => day.with({ month: 1, day: 1 }),
  'year-end': (day) => day.with({ month: 12, day: 31 }),
}

const UNITS: Readonly<Record<string, 'days' | 'weeks' | 'months' | 'years'>> = {
  d: 'days',
  w: 'weeks',
  m: 'months',
  y: 'years',
}

/** An unescaped plus in a URL arrives as a space. */
const RELATIVE_DAY = /^([a-z]+(?:-[a-z]+)?)(?:([-+ ])(\d{1,4})([dwmy]?))?$/

export const RELATIVE_DAYS = `${Object.keys(WORDS).join(', ')}, each with + or - a number of days, or of weeks, months or years (today+6, week-start+1w, month-end-1m)`

/** @param today the center's local day @returns the day as `YYYY-MM-DD`; undefined if the text is not a relative day */
export function relativeDay(text: string, today: string): string | undefined {
  const [, word = '', sign, count = '0', unit = ''] = RELATIVE_DAY.exec(text) ?? []
  const dayOf = Object.hasOwn(WORDS, word) ? WORDS[word] : undefined
  if (dayOf === undefined) return undefined
  const by = { [UNITS[unit] ?? 'days']: Number(count) * (sign === '-' ? -1 : 1) }
  const from = Temporal.PlainDate.from(today)
  // Months and years are added before the first or last day is taken: the end of next month is month-end+1m.
  const moved = unit === 'm' || unit === 'y' ? dayOf(from.add(by)) : dayOf(from).add(by)
  const local = moved.toString()
  // The database and ISO texts have four digits: what is beyond is no day.
  return isLocalDate(local) ? local : undefined
}

/** For the schema of a parameter. A plus that is not encoded arrives as a space. */
export const RELATIVE_DAY_SCHEMA = {
  type: 'string',
  description: `a day relative to the center's today: ${RELATIVE_DAYS}`,
  pattern: `^(?:${Object.keys(WORDS).join('|')})(?:[-+ ]\\d{1,4}[dwmy]?)?$`,
} as const

/** Every word begins so. */
const MAY_BE_RELATIVE = /=(?:to|yes|week-|month-|year-)/

/**
 * The request target with its relative days as local days. Only parameters that take days are changed.
 * @param url as received
 * @param today the center's local day, which is only computed if the target may have a relative day
 */
export function withDays(url: string, table: ParameterTable, today: () => string): string {
  if (!MAY_BE_RELATIVE.test(url)) return url
  const at = url.indexOf('?')
  const parts = url.slice(at + 1).split('&')
  const asked = parts.map((part) => {
    for (const [name, text] of new URLSearchParams(part)) {
      const day = Object.hasOwn(table, name) && table[name]?.isDay ? relativeDay(text, today()) : undefined
      if (day !== undefined) return `${encodeURIComponent(name)}=${day}`
    }
    return part
  })
  return `${url.slice(0, at + 1)}${asked.join('&')}`
}
