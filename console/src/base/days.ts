/** Days as the service has them, `2026-11-21`, and how people read them. */

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

/** Intl's name of Norwegian is that of its written form. */
const tagOf = (language: string) => (language === 'no' ? 'nb' : language)

/** Saturday, or Sat; capital first, because it stands as a heading. */
export function weekday(day: string, language: string, length: 'long' | 'short' = 'long'): string {
  const text = new Intl.DateTimeFormat(tagOf(language), { weekday: length, timeZone: 'UTC' }).format(at(day))
  return text.slice(0, 1).toLocaleUpperCase(tagOf(language)) + text.slice(1)
}

/** The local day of a moment, and its time `06:41`. */
export function localTime(
  moment: number | string,
  zone: string,
): { readonly day: string; readonly time: string } {
  // Swedish writes both as the service does.
  const text = new Intl.DateTimeFormat('sv', {
    timeZone: zone,
    dateStyle: 'short',
    timeStyle: 'short',
  }).format(new Date(moment))
  return { day: text.slice(0, 10), time: text.slice(11) }
}

export const numberText = (value: number, language: string): string =>
  new Intl.NumberFormat(tagOf(language)).format(value)
