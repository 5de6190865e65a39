/** A guest's values as text, for cells. */
import type { Field } from '../../../client/src/index.ts'
import { isDay, localTime, writtenDay } from '../../../src/documents/days.ts'
import type { WordKey, Words } from '../../../src/documents/words.ts'

export type Row = Readonly<Record<string, unknown>>

/** How values are written. */
export interface Shown {
  readonly language: string
  readonly zone: string
  readonly words: Words
}

/** The value of a field, `address.city`. */
export function valueAt(row: Row, name: string): unknown {
  let value: unknown = row
  for (const part of name.split('.')) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, part)) return undefined
    value = Reflect.get(value, part)
  }
  return value
}

/** What a cell shows: a day as people write it, which the interface does not do in most languages. */
export function cellOf(row: Row, { name, raw }: Pick<Field, 'name' | 'raw'>, shown: Shown): string {
  const given = raw === null ? undefined : valueAt(row, `ids.${name}`)
  const days = typeof given === 'string' ? daysOf(given, shown) : undefined
  return days ?? (name === 'skippingMeals' ? skipsOf(row, shown) : textOf(valueAt(row, name), shown.words))
}

/** Of a day, a moment, or an interval of two. */
function daysOf(raw: string, { language, zone }: Shown): string | undefined {
  const days = raw.split('/').map((text) => (MOMENT.test(text) ? localTime(text, zone).day : text))
  return days.every(isDay) ? days.map((day) => writtenDay(day, language)).join(' – ') : undefined
}
const MOMENT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d/

const MEALS = ['breakfast', 'lunch', 'dinner'] as const

function skipsOf(row: Row, { language, words }: Shown): string {
  return MEALS.flatMap((meal) => {
    const days: unknown = valueAt(row, `skippingMeals.${meal}`)
    if (!Array.isArray(days) || days.length === 0) return []
    // As a heading, the word may have places to break.
    return [
      `${words(meal).replaceAll('\u00ad', '')}: ${days.map((day) => writtenDay(String(day), language)).join(', ')}`,
    ]
  }).join('; ')
}

const IN_WORDS: Readonly<Record<string, WordKey>> = { true: 'yes', false: 'no' }

/** @returns '' where there is no value */
export function textOf(value: unknown, words?: Words): string {
  if (value === null || value === undefined) return ''
  if (Array.isArray(value)) return value.map((one) => textOf(one, words)).join(', ')
  if (typeof value === 'object') {
    return Object.values(value)
      .map((inner) => textOf(inner, words))
      .filter(Boolean)
      .join(', ')
  }
  const word = typeof value === 'boolean' ? IN_WORDS[String(value)] : undefined
  return word !== undefined && words !== undefined ? words(word) : String(value)
}
