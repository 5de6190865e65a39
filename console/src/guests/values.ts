/** A guest's values as text, for cells. */
import type { Field } from '../../../client/src/index.ts'
import { isDay, localTime, writtenDay } from '../base/days.ts'

export type Row = Readonly<Record<string, unknown>>

/** The value of a field, `address.city`. */
export function valueAt(row: Row, name: string): unknown {
  let value: unknown = row
  for (const part of name.split('.')) {
    if (typeof value !== 'object' || value === null) return undefined
    value = Object.entries(value).find(([key]) => key === part)?.[1]
  }
  return value
}

/** What a cell shows: a day as people write it, which the interface does not do in most languages. */
export function cellOf(
  row: Row,
  { name, raw }: Pick<Field, 'name' | 'raw'>,
  language: string,
  zone: string,
): string {
  const given = raw === null ? undefined : valueAt(row, `ids.${name}`)
  return (typeof given === 'string' && daysOf(given, language, zone)) || textOf(valueAt(row, name))
}

/** Of a day, a moment, or an interval of two. */
function daysOf(raw: string, language: string, zone: string): string | undefined {
  const days = raw.split('/').map((text) => (MOMENT.test(text) ? localTime(text, zone).day : text))
  return days.every(isDay) ? days.map((day) => writtenDay(day, language)).join(' – ') : undefined
}
const MOMENT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d/

/** @returns '' where there is no value */
export function textOf(value: unknown): string {
  if (value === null || value === undefined) return ''
  if (Array.isArray(value)) return value.map(textOf).join(', ')
  if (typeof value === 'object') {
    return Object.entries(value)
      .map(([key, inner]): [string, string] => [key, textOf(inner)])
      .filter(([, text]) => text !== '')
      .map(([key, text]) => `${key}: ${text}`)
      .join('; ')
  }
  return String(value)
}
