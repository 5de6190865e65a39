/** Days as the service has them, `2026-11-21`, and how people read them. */
import { tagOf } from './numbers.ts'
import type { Words } from './words.ts'

const DAY_MS = 86_400_000
const at = (day: string) => Date.parse(`${day}T00:00:00Z`)

export const isDay = (text: string): boolean =>
  /^\d{4}-\d{2}-\d{2}$/.test(text) && new Date(at(text)).toJSON()?.slice(0, 10) === text

export const addDays = (day: string, count: number): string =>
  new Date(at(day) + count * DAY_MS).toISOString().slice(0, 10)

/** How many days later `to` is. */
export const daysBetween = (from: string, to: string): number => (at(to) - at(from)) / DAY_MS

/** Making a format takes as long as formatting hundreds of days, and a table scrolls: each is made once. */
function madeOnce(make: (name: string) => Intl.DateTimeFormat): (name: string) => Intl.DateTimeFormat {
  const formats = new Map<string, Intl.DateTimeFormat>()
  return (name) => {
    const format = formats.get(name) ?? make(name)
    formats.set(name, format)
    return format
  }
}

const DAY_AND_MONTH = { day: '2-digit', month: '2-digit', timeZone: 'UTC' } as const
const shortFormat = madeOnce((language) => new Intl.DateTimeFormat(tagOf(language), DAY_AND_MONTH))
const longFormat = madeOnce(
  (language) => new Intl.DateTimeFormat(tagOf(language), { ...DAY_AND_MONTH, year: 'numeric' }),
)

/**
 * As people write it in the language: 21.11.2026 in German. The interface writes 11/21/2026 in most languages, which is
 * another day to most of their readers, so the console writes all days by itself.
 * @returns what is no day, such as one that an address leaves out, as it is
 */
export const writtenDay = (day: string, language: string): string =>
  isDay(day) ? longFormat(language).format(at(day)) : day

/** 21.11., where the year is known. */
export const writtenShort = (day: string, language: string): string =>
  isDay(day) ? shortFormat(language).format(at(day)) : day

/** Saturday, or Sat. The words are in the catalogue: not every browser has the names in each language. */
export function weekday(t: Words, day: string, length: 'long' | 'short' = 'long'): string {
  const names = t(length === 'long' ? 'weekdays' : 'weekdaysShort').split(', ')
  return names[new Date(at(day)).getUTCDay()] ?? ''
}

/** Jan, as the head of a column. @param month from 1 */
export const monthName = (t: Words, month: number): string => t('monthsShort').split(', ')[month - 1] ?? ''

const momentFormat = madeOnce(
  (zone) =>
    new Intl.DateTimeFormat('en', {
      timeZone: zone,
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
      hour: '2-digit',
      minute: '2-digit',
      hourCycle: 'h23',
    }),
)

/** The local day of a moment, and its time `06:41`. */
export function localTime(
  moment: number | string,
  zone: string,
): { readonly day: string; readonly time: string } {
  const parts = momentFormat(zone).formatToParts(new Date(moment))
  const part = (type: string) => parts.find((one) => one.type === type)?.value ?? ''
  return {
    day: `${part('year')}-${part('month')}-${part('day')}`,
    time: `${part('hour')}:${part('minute')}`,
  }
}
