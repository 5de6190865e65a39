/** Days as the service has them, `2026-11-21`, and how people read them. */
import type { Words } from './words.ts'

const DAY_MS = 86_400_000
const at = (day: string) => Date.parse(`${day}T00:00:00Z`)

export const isDay = (text: string): boolean =>
  /^\d{4}-\d{2}-\d{2}$/.test(text) && new Date(at(text)).toJSON()?.slice(0, 10) === text

export const addDays = (day: string, count: number): string =>
  new Date(at(day) + count * DAY_MS).toISOString().slice(0, 10)

/** How many days later `to` is. */
export const daysBetween = (from: string, to: string): number => (at(to) - at(from)) / DAY_MS

/** As the interface writes dates: Romanian and Norwegian with points, every other language as 11/21/2026. */
export function writtenDay(day: string, language: string): string {
  const [year, month, date] = day.split('-')
  return language === 'ro' || language === 'no' ? `${date}.${month}.${year}` : `${month}/${date}/${year}`
}

/** 11/21, where the year is known. */
export function writtenShort(day: string, language: string): string {
  const [, month, date] = day.split('-')
  return language === 'ro' || language === 'no' ? `${date}.${month}.` : `${month}/${date}`
}

/** Saturday, or Sat. The words are in the catalogue: not every browser has the names in each language. */
export function weekday(t: Words, day: string, length: 'long' | 'short' = 'long'): string {
  const names = t(length === 'long' ? 'weekdays' : 'weekdaysShort').split(', ')
  return names[new Date(at(day)).getUTCDay()] ?? ''
}

/** Jan, as the head of a column. @param month from 1 */
export const monthName = (t: Words, month: number): string => t('monthsShort').split(', ')[month - 1] ?? ''

/** The local day of a moment, and its time `06:41`. */
export function localTime(
  moment: number | string,
  zone: string,
): { readonly day: string; readonly time: string } {
  const parts = new Intl.DateTimeFormat('en', {
    timeZone: zone,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  }).formatToParts(new Date(moment))
  const part = (type: string) => parts.find((one) => one.type === type)?.value ?? ''
  return {
    day: `${part('year')}-${part('month')}-${part('day')}`,
    time: `${part('hour')}:${part('minute')}`,
  }
}

/** For numbers: browsers know Norwegian by its written form, and few know Icelandic, which writes them as Danish does. */
const tagOf = (language: string) => (language === 'no' ? 'nb' : language === 'is' ? 'da' : language)

export const numberText = (value: number, language: string): string =>
  new Intl.NumberFormat(tagOf(language)).format(value)

export const amountText = (value: number, currency: string, language: string): string =>
  new Intl.NumberFormat(tagOf(language), { style: 'currency', currency }).format(value)
