/**
 * The formats of dates, times, amounts and booleans in spreadsheets, as a mapping declares them. Text that fits no
 * format stays text, so that the field's own check refuses it with a message.
 */
import { isLocalDate } from '../../../locale/dates.ts'
import { isWeekday, monthsIn, wordsIn } from './month-names.ts'
import type { Decimals } from './numbers.ts'
import { mayBeValue } from './text-lengths.ts'
import { withoutZone } from './time-zones.ts'

export interface Formats {
  /** Formats of dates, alone and with a time. */
  readonly dates: readonly DateFormat[]
  readonly times: readonly DateFormat[]
  readonly decimals: Decimals | undefined
  readonly booleans: ReadonlyMap<string, boolean>
}

/** The date format that is always read. */
export const ISO = 'YYYY-MM-DD'

/** A format such as `DD.MM.YYYY`, compiled. */
export interface DateFormat {
  readonly text: string
  /** The parts of a text in this format; undefined if the text has another form. */
  read(text: string): Parts | undefined
  readonly units: ReadonlySet<Unit>
}

type Unit = 'year' | 'month' | 'day' | 'hour' | 'minute' | 'second' | 'half'
type Parts = Partial<Record<Unit, number>> & { isShortYear?: boolean }
type Step =
  | { readonly literal: string }
  | { readonly unit: Unit; readonly least: number; readonly most: number }

/** Longer tokens first. A day, month or hour may have one digit where the format has two. */
const TOKENS: readonly [string, Unit, number, number][] = [
  ['YYYY', 'year', 4, 4],
  ['YY', 'year', 2, 2],
  ['MM', 'month', 1, 2],
  ['DD', 'day', 1, 2],
  ['HH', 'hour', 1, 2],
  ['hh', 'hour', 1, 2],
  ['mm', 'minute', 2, 2],
  ['ss', 'second', 2, 2],
  ['M', 'month', 1, 2],
  ['D', 'day', 1, 2],
  ['H', 'hour', 1, 2],
  ['h', 'hour', 1, 2],
  ['A', 'half', 2, 2],
]

/** @returns undefined if the text contains other letters than those of a format, or one unit twice */
function compile(text: string): DateFormat | undefined {
  if (text.includes('MMM')) return compileWords(text)
  const steps: Step[] = []
  let rest = text
  while (rest !== '') {
    const token = TOKENS.find(([name]) => rest.startsWith(name))
    if (token !== undefined) {
      const [name, unit, least, most] = token
      if (steps.some((step) => 'unit' in step && step.unit === unit)) return undefined
      // Units without a separator between them need all their digits.
      const isRun = TOKENS.some(([next]) => rest.slice(name.length).startsWith(next)) || isAfterUnit(steps)
      steps.push({ unit, least: isRun ? most : least, most })
      rest = rest.slice(name.length)
    } else {
      const literal = rest[0] ?? ''
      if (/[A-Za-z0-9]/.test(literal) && literal !== 'T') return undefined
      steps.push({ literal })
      rest = rest.slice(1)
    }
  }
  const units = steps.flatMap((step) => ('unit' in step ? [step.unit] : []))
  return { text, units: new Set(units), read: (given) => readSteps(steps, given) }
}

function isAfterUnit(steps: readonly Step[]): boolean {
  const last = steps.at(-1)
  return last !== undefined && 'unit' in last
}

/** The parts of a format with the name of the month: `MMM` or `MMMM`, or `MMM(hr)` for the names of one language. */
const WORD_PARTS = /DD?|MMMM?(?:\([a-zA-Z-]{1,20}\))?|YYYY|YY|ddd?d?/g

/**
 * A format with the name of the month, in any language of the service unless it names one. Only the order of day and
 * year is of the format: separators, weekdays and small words such as `de` and `of` may be anywhere.
 */
function compileWords(text: string): DateFormat | undefined {
  if (/[A-Za-z0-9]/.test(text.replaceAll(WORD_PARTS, ''))) return undefined
  const language = /\(([^()]{1,20})\)/.exec(text)?.[1]
  const order = [...text.matchAll(WORD_PARTS)].flatMap(([part]) =>
    part.startsWith('d') ? [] : [part.startsWith('D') ? 'D' : part.startsWith('M') ? 'MMM' : part],
  )
  const units = order
    .map((part) => part[0])
    .toSorted()
    .join('')
  if (units !== 'DMY') return undefined
  const digits = order.includes('YYYY') ? 4 : 2
  const numbers = order.filter((unit) => unit !== 'MMM')
  const read = (given: string): Parts | undefined => {
    const parts: Parts = {}
    let at = 0
    let isBeforeMonth: boolean | undefined
    for (const { word, isNumber, months, isFiller } of wordsIn(given)) {
      if (isNumber) {
        const unit = numbers[at]
        if (unit === undefined || (unit === 'D' ? word.length > 2 : word.length !== digits)) return undefined
        if (unit === 'D') {
          parts.day = Number(word)
          isBeforeMonth = parts.month === undefined
        } else {
          parts.year = yearOf(Number(word), digits)
          parts.isShortYear = digits === 2
        }
        at += 1
        continue
      }
      const [month, another] = parts.month === undefined ? monthsIn(months, language) : []
      if (month !== undefined && another === undefined) parts.month = month
      else if (!isFiller) return undefined
    }
    const isInOrder =
      isBeforeMonth === undefined || isBeforeMonth === order.indexOf('D') < order.indexOf('MMM')
    return at === 2 && parts.month !== undefined && isInOrder ? parts : undefined
  }
  return { text, units: new Set(['year', 'month', 'day']), read }
}

/** Parses a format of a date, with or without a time. @returns undefined if it is not one */
export function dateFormat(text: string): DateFormat | undefined {
  const format = compile(text)
  if (format === undefined) return undefined
  const { units } = format
  const isDate = (['year', 'month', 'day'] as const).every((unit) => units.has(unit))
  return isDate ? format : undefined
}

/** Whether two formats read the same text as different days: `DD/MM/YYYY` and `MM/DD/YYYY`. */
export const clash = (one: string, other: string): boolean =>
  one !== other &&
  /^[^Hh]*$/.test(one) &&
  shapeOf(one) === shapeOf(other) &&
  dateOrder(one) !== dateOrder(other)

const shapeOf = (format: string) => format.replaceAll('YYYY', '4').replaceAll(/[A-Z]+/g, '2')
/** `DMY` for `DD.MM.YYYY`. */
export const dateOrder = (format: string) =>
  [...format.replaceAll(/[^YMD]/g, '')].filter((unit, at, units) => unit !== units[at - 1]).join('')

/** Parses a format of a time of day. @returns undefined if it is not one */
export function timeFormat(text: string): DateFormat | undefined {
  const format = compile(text)
  if (format === undefined) return undefined
  const { units } = format
  const isTime = units.has('hour') && !(['year', 'month', 'day'] as const).some((unit) => units.has(unit))
  return isTime ? format : undefined
}

/** A time at the end of a text, after a date. */
const TIME_AT_END = /^(.*[^\s,])(?:,\s*|\s+|T)(\d{1,2}[:.]\d{2}.*)$/s

/** Every format of `dates` alone, and followed by every format of `times`. */
export function withTimes(dates: readonly DateFormat[], times: readonly DateFormat[]): DateFormat[] {
  return dates.flatMap((date) => {
    if (date.units.has('hour')) return [date]
    const read = (text: string): Parts | undefined => {
      const [, day, time] = TIME_AT_END.exec(text) ?? []
      const parts = day === undefined ? undefined : date.read(day.trim())
      if (parts === undefined || time === undefined) return undefined
      for (const format of times) {
        const found = format.read(time.trim().replaceAll(/\s+/g, ' '))
        if (found !== undefined) return { ...parts, ...found }
      }
      return undefined
    }
    return [
      date,
      {
        text: `${date.text} ${times.map((time) => time.text).join(' or ')}`,
        units: new Set([...date.units, 'hour']),
        read,
      },
    ]
  })
}

function readSteps(steps: readonly Step[], text: string): Parts | undefined {
  const parts: Parts = {}
  let at = 0
  for (const step of steps) {
    if ('literal' in step) {
      // A space in a format is any space, or several.
      if (step.literal === ' ') {
        const from = at
        while (isSpace(text[at])) at += 1
        if (at === from) return undefined
        continue
      }
      if (!text.startsWith(step.literal, at)) return undefined
      at += step.literal.length
      continue
    }
    const { unit, least, most } = step
    if (unit === 'half') {
      const [word] = /^(?:am|pm|a\.\s?m\.?|p\.\s?m\.?)/i.exec(text.slice(at)) ?? []
      if (word === undefined) return undefined
      parts.half = /^p/i.test(word) ? 12 : 0
      at += word.length
      continue
    }
    let end = at
    while (end < at + most && isDigit(text.charCodeAt(end))) end += 1
    if (end - at < least) return undefined
    const value = Number(text.slice(at, end))
    parts[unit] = unit === 'year' ? yearOf(value, most) : value
    if (unit === 'year') parts.isShortYear = most === 2
    at = end
  }
  return at === text.length ? parts : undefined
}

/** Two digits mean a year from 1930 to 2029, as in Excel. */
const yearOf = (value: number, digits: number) => (digits === 4 ? value : value + (value < 30 ? 2000 : 1900))

const isSpace = (character: string | undefined) => character !== undefined && /\s/.test(character)
const isDigit = (code: number) => code >= 48 && code <= 57

const padded = (value: number, digits = 2) => String(value).padStart(digits, '0')

const WEEKDAY_FIRST = /^(\p{L}[\p{L}\p{M}.'’-]*)[,\s]\s*(\d.*)$/su
const WEEKDAY_LAST = /^(.*\d\.?)[,\s]\s*\(?(\p{L}[\p{L}\p{M}.'’-]*)\)?$/su

/** A date without the weekday before or after it: `Fri, 20.03.2026`, `2026-03-20 (Fri)`. */
export function withoutWeekday(text: string): string {
  if (isDigit(text.charCodeAt(0)) && isDigit(text.charCodeAt(text.length - 1))) return text
  const [, before = '', later] = WEEKDAY_FIRST.exec(text) ?? []
  if (later !== undefined && isWeekday(before)) return later
  const [, earlier, after = ''] = WEEKDAY_LAST.exec(text) ?? []
  return earlier !== undefined && isWeekday(after) ? earlier : text
}

/** ISO 8601 as databases write it: with a space, a fraction of a second, an offset. */
const ISO_MOMENT =
  /^(\d{4}-\d{2}-\d{2})[ T](\d{2}):(\d{2})(?::(\d{2})(?:[.,]\d{1,9})?)?\s?(Z|[+-]\d{2}(?::?\d{2})?)?$/i

/**
 * @param notAfter the last day on which a date with a year of two digits may be; later ones are a century earlier
 * @returns `2026-11-16`, or `2026-11-16T15:00:00` if there is a time, with the offset if the text has one; undefined if
 * no format fits
 */
export function readDate(
  written: string,
  formats: readonly DateFormat[],
  notAfter?: string,
): string | undefined {
  if (!mayBeValue(written)) return undefined
  const { text, momentOf } = withoutZone(written)
  const date = readLocal(withoutWeekday(text), formats, notAfter)
  if (momentOf === undefined || date === undefined) return date
  // An offset next to the name of a zone says the same: `+01:00[Europe/Berlin]`.
  if (date.includes('T') && /(?:Z|[+-]\d{2}:\d{2})$/.test(date)) return date
  return date.includes('T') ? momentOf(date) : undefined
}

function readLocal(text: string, formats: readonly DateFormat[], notAfter?: string): string | undefined {
  const iso = ISO_MOMENT.exec(text)
  if (iso !== null) {
    const [, day = '', hour, minute, second = '00', offset = ''] = iso
    const time = timeOf({ hour: Number(hour), minute: Number(minute), second: Number(second) })
    if (!isLocalDate(day) || time === undefined) return undefined
    return `${day}T${time}${offsetOf(offset)}`
  }
  for (const format of formats) {
    const parts = format.read(text)
    if (parts === undefined) continue
    const { year = 0, month = 0, day = 0 } = parts
    const local = `${padded(year, 4)}-${padded(month)}-${padded(day)}`
    const isLater = parts.isShortYear === true && notAfter !== undefined && local > notAfter
    const date = isLater ? `${padded(year - 100, 4)}${local.slice(4)}` : local
    const time = parts.hour === undefined ? '' : timeOf(parts)
    if (isLocalDate(date) && time !== undefined) return time === '' ? date : `${date}T${time}`
  }
  return undefined
}

/** `+01:00` for `+01` and `+0100`. */
function offsetOf(offset: string): string {
  if (offset === '' || /^z$/i.test(offset)) return offset.toUpperCase()
  return `${offset.slice(0, 3)}:${offset.slice(3).replace(':', '').padEnd(2, '0')}`
}

/** @returns a time such as `15:00:00`; undefined if no format fits */
export function readTime(text: string, formats: readonly DateFormat[]): string | undefined {
  if (!mayBeValue(text)) return undefined
  for (const format of formats) {
    const parts = format.read(text.replaceAll(/\s+/g, ' '))
    const time = parts && timeOf(parts)
    if (time !== undefined) return time
  }
  return undefined
}

function timeOf({ hour = 0, minute = 0, second = 0, half }: Parts): string | undefined {
  if (half !== undefined && (hour < 1 || hour > 12)) return undefined
  const hours = half === undefined ? hour : (hour % 12) + half
  if (hours > 23 || minute > 59 || second > 59) return undefined
  return `${padded(hours)}:${padded(minute)}:${padded(second)}`
}
