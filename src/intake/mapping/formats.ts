/**
 * The formats of dates, times, amounts and booleans in spreadsheets, as a mapping declares them. Text that fits no
 * format stays text, so that the field's own check refuses it with a message.
 */
import { isLocalDate } from '../../locale/dates.ts'

export interface Formats {
  /** Formats of dates, alone and with a time. */
  readonly dates: readonly DateFormat[]
  readonly times: readonly DateFormat[]
  readonly decimals: Decimals | undefined
  readonly booleans: ReadonlyMap<string, boolean>
}

export type Decimals = ',' | '.'

/** The date format that is always read. */
export const ISO = 'YYYY-MM-DD'

/** A format such as `DD.MM.YYYY`, and its parsed steps. */
export interface DateFormat {
  readonly text: string
  readonly steps: readonly Step[]
}

type Unit = 'year' | 'month' | 'day' | 'hour' | 'minute' | 'second' | 'half'
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
  return { text, steps }
}

function isAfterUnit(steps: readonly Step[]): boolean {
  const last = steps.at(-1)
  return last !== undefined && 'unit' in last
}

const unitsOf = ({ steps }: DateFormat) => steps.flatMap((step) => ('unit' in step ? [step.unit] : []))

/** Parses a format of a date, with or without a time. @returns undefined if it is not one */
export function dateFormat(text: string): DateFormat | undefined {
  const format = compile(text)
  const units = format === undefined ? [] : unitsOf(format)
  return ['year', 'month', 'day'].every((unit) => units.some((own) => own === unit)) ? format : undefined
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
  const units = unitsOf(format)
  const isTime = units.includes('hour') && !units.some((unit) => ['year', 'month', 'day'].includes(unit))
  return isTime ? format : undefined
}

/** Every format of `dates` alone, and followed by every format of `times`. */
export function withTimes(dates: readonly DateFormat[], times: readonly DateFormat[]): DateFormat[] {
  return dates.flatMap((date) => [
    date,
    ...(unitsOf(date).includes('hour') ? [] : times).flatMap((time) =>
      [' ', 'T', ', '].map((between) => ({
        text: `${date.text}${between}${time.text}`,
        steps: [...date.steps, { literal: between }, ...time.steps],
      })),
    ),
  ])
}

type Parts = Partial<Record<Unit, number>>

function readParts({ steps }: DateFormat, text: string): Parts | undefined {
  const parts: Parts = {}
  let at = 0
  for (const step of steps) {
    if ('literal' in step) {
      if (!text.startsWith(step.literal, at)) return undefined
      at += step.literal.length
      continue
    }
    const { unit, least, most } = step
    if (unit === 'half') {
      const word = text.slice(at, at + 2).toLowerCase()
      if (word !== 'am' && word !== 'pm') return undefined
      parts.half = word === 'pm' ? 12 : 0
      at += 2
      continue
    }
    let end = at
    while (end < at + most && isDigit(text.charCodeAt(end))) end += 1
    if (end - at < least) return undefined
    // Two digits mean a year from 1930 to 2029, as in Excel.
    const value = Number(text.slice(at, end))
    parts[unit] = unit === 'year' && most === 2 ? value + (value < 30 ? 2000 : 1900) : value
    at = end
  }
  return at === text.length ? parts : undefined
}

const isDigit = (code: number) => code >= 48 && code <= 57

const padded = (value: number, digits = 2) => String(value).padStart(digits, '0')

/** @returns `2026-11-16`, or `2026-11-16T15:00:00` if there is a time; undefined if no format fits */
export function readDate(text: string, formats: readonly DateFormat[]): string | undefined {
  for (const format of formats) {
    const parts = readParts(format, text)
    if (parts === undefined) continue
    const { year = 0, month = 0, day = 0 } = parts
    const date = `${padded(year, 4)}-${padded(month)}-${padded(day)}`
    const time = parts.hour === undefined ? '' : timeOf(parts)
    if (isLocalDate(date) && time !== undefined) return time === '' ? date : `${date}T${time}`
  }
  return undefined
}

/** @returns a time such as `15:00:00`; undefined if no format fits */
export function readTime(text: string, formats: readonly DateFormat[]): string | undefined {
  for (const format of formats) {
    const parts = readParts(format, text)
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

/** Spaces of all kinds and apostrophes, which separate thousands, as the dot and the comma do. */
const SEPARATORS = /[\s'’]/g
const CURRENCY = /^(?:\p{Sc}|[A-Z]{3})|(?:\p{Sc}|[A-Z]{3})$/gu
const NUMBER = { '.': /^[+-]?\d+(?:\.\d+)?$/, ',': /^[+-]?\d+(?:,\d+)?$/ }
const GROUPED = { '.': /^[+-]?\d{1,3}(?:,\d{3})+(?:\.\d+)?$/, ',': /^[+-]?\d{1,3}(?:\.\d{3})+(?:,\d+)?$/ }
/** No amount is longer than this, including what surrounds the digits. */
const NUMBER_LENGTH_MAX = 40

/** Reads a number such as `1.000,50 €` or `1 000,50`. @returns undefined if the text is not a number */
export function readNumber(text: string, decimals: Decimals = '.'): number | undefined {
  if (text.length > NUMBER_LENGTH_MAX) return undefined
  let digits = text.replaceAll(SEPARATORS, '').replaceAll(CURRENCY, '')
  // Accounting programs write the sign after the number.
  if (digits.endsWith('-')) digits = `-${digits.slice(0, -1)}`
  if (GROUPED[decimals].test(digits)) digits = digits.replaceAll(decimals === ',' ? '.' : ',', '')
  else if (!NUMBER[decimals].test(digits)) return undefined
  return Number(digits.replace(',', '.'))
}

/** Words are compared without regard to case. */
export const foldWord = (word: string) => word.trim().normalize('NFC').toLowerCase()
