/** Fields of records as the reader writes them: labels, days and amounts, where the file's records have raw values. */

import { isDay, localTime, writtenDay } from '../../../src/documents/days.ts'
import { amountText, numberText } from '../../../src/documents/numbers.ts'
import type { WordKey } from '../../../src/documents/words.ts'
import { language, words } from '../base/signed-in.ts'
import type { Overview } from './file-state.ts'

/** Fields that records have and the answers of the interface do not. */
const WORDS: Readonly<Record<string, WordKey>> = {
  'booking.customerId': 'customerIdentifier',
  'booking.sessionIds': 'sessions',
  'booking.bookingNumber': 'bookingNumber',
  'booking.meals': 'mealsOfStay',
  'booking.meals.from': 'from',
  'booking.meals.until': 'until',
  'booking.meals.guests': 'additionalPeople',
  'booking.accSegments': 'rooms',
  'booking.accSegments.from': 'from',
  'booking.accSegments.until': 'until',
}

const IN_LIST = /^(.*?)\.(\d+)(?:\.(.*))?$/

/**
 * `Arrival`, `Items 2, Price`. A field without a name in this language by its own.
 * @param path `items.2.price`
 */
export function fieldName(about: Overview, kind: string, path: string): string {
  const [, list, at, field] = IN_LIST.exec(path) ?? []
  if (list !== undefined && at !== undefined) {
    const entry = `${fieldName(about, kind, list)} ${at}`
    return field === undefined ? entry : `${entry}, ${fieldName(about, kind, `${list}.${field}`)}`
  }
  const word = WORDS[`${kind}.${path}`]
  if (word !== undefined) return words.value(word)
  return describedAs(about, kind, path)?.label ?? path.replace(/^meta\./, '')
}

const describedAs = ({ fields }: Overview, kind: string, path: string) =>
  // A segment of the accommodation has its fields.
  fields[`${kind}.${path}`] ?? fields[`${kind}.${path.replace(/^accSegments\./, 'acc.')}`]

/** @param value as a record has it, or as a text of it */
export function valueText(about: Overview, kind: string, path: string, value: unknown): string {
  if (Array.isArray(value)) return value.map((one) => valueText(about, kind, path, one)).join(', ')
  if (value === true || value === 'true') return words.value('yes')
  if (value === false || value === 'false') return words.value('no')
  const text = String(value)
  const described = describedAs(about, kind, path.replace(/\.\d+(?=\.|$)/, ''))
  const { center } = about
  if (described?.isAmount && text.trim() !== '' && Number.isFinite(Number(text)))
    return amountText(Number(text), center.currency, language.value)
  if (typeof value === 'number') return numberText(value, language.value)
  return described?.values?.[text] ?? momentText(text, center.timezone) ?? text
}

const MOMENT = /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d)(?::\d\d(?:\.\d+)?)?(Z|[+-]\d\d:?\d\d)?)?$/

/** A day, or a moment in the center's time; undefined for any other text. */
function momentText(text: string, zone: string): string | undefined {
  const [, day = '', time, offset] = MOMENT.exec(text) ?? []
  if (!isDay(day)) return undefined
  if (time === undefined) return writtenDay(day, language.value)
  const local = offset === undefined ? { day, time } : localTime(text, zone)
  return `${writtenDay(local.day, language.value)} ${local.time}`
}
