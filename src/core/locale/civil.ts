/**
 * The calendar as integer arithmetic: converts a local date to the number of days since 1970-01-01, and back. Pages of
 * guests convert tens of thousands of moments to dates every second, for which `Date` and `Temporal` are too slow. The
 * algorithms are Howard Hinnant's `days_from_civil` and `civil_from_days`.
 */

/** Milliseconds in a day of 24 hours. */
export const DAY_MS = 86_400_000

/** `00` … `99`. */
export const TWO_DIGITS: readonly string[] = Array.from({ length: 100 }, (_, n) => String(n).padStart(2, '0'))

/** Days from 1970-01-01 to a year, month (1–12) and day of month of the proleptic Gregorian calendar. */
export function daysFromCivil(year: number, month: number, day: number): number {
  const y = month <= 2 ? year - 1 : year
  const era = Math.floor(y / 400)
  const yearOfEra = y - era * 400
  const dayOfYear = Math.floor((153 * (month > 2 ? month - 3 : month + 9) + 2) / 5) + day - 1
  const dayOfEra = yearOfEra * 365 + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100) + dayOfYear
  return era * 146_097 + dayOfEra - 719_468
}

/** Days from 1970-01-01 to `YYYY-MM-DD`. The text must have passed `isLocalDate`; it is not checked again. */
export function daysOfLocalDate(localDate: string): number {
  return daysFromCivil(fourDigits(localDate), twoDigitsAt(localDate, 5), twoDigitsAt(localDate, 8))
}

/** The number in the two decimal digits at `at`. The caller knows that they are digits. */
export function twoDigitsAt(text: string, at: number): number {
  return text.charCodeAt(at) * 10 + text.charCodeAt(at + 1) - 528
}

function fourDigits(text: string): number {
  return twoDigitsAt(text, 0) * 100 + twoDigitsAt(text, 2)
}

// A center's records are within a few years of each other, so the same few thousand days are formatted repeatedly. A
// direct-mapped table of 4096 days (eleven years) returns them without building a string. A day replaces another one in
// its slot, so the table never grows.
const slotCount = 4096
const slotDays = new Int32Array(slotCount).fill(-2_147_483_648)
const slotTexts: string[] = Array.from({ length: slotCount }, () => '')

/**
 * `YYYY-MM-DD` of a whole number of days since 1970-01-01.
 * Years before 0 and after 9999 are written as ISO 8601's six-digit years (`+010000-01-01`).
 */
export function localDateOfDays(days: number): string {
  const slot = days & (slotCount - 1)
  if (slotDays[slot] === days) return slotTexts[slot]!
  const text = writeDays(days)
  slotDays[slot] = days
  slotTexts[slot] = text
  return text
}

function writeDays(days: number): string {
  const z = days + 719_468
  const era = Math.floor(z / 146_097)
  const dayOfEra = z - era * 146_097
  const yearOfEra = Math.floor(
    (dayOfEra -
      Math.floor(dayOfEra / 1460) +
      Math.floor(dayOfEra / 36_524) -
      Math.floor(dayOfEra / 146_096)) /
      365,
  )
  const dayOfYear = dayOfEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100))
  const shiftedMonth = Math.floor((5 * dayOfYear + 2) / 153)
  const day = dayOfYear - Math.floor((153 * shiftedMonth + 2) / 5) + 1
  const month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
  const year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
  return `${yearText(year)}-${TWO_DIGITS[month]}-${TWO_DIGITS[day]}`
}

function yearText(year: number): string {
  if (year >= 0 && year <= 9999) return String(year).padStart(4, '0')
  return (year < 0 ? '-' : '+') + String(Math.abs(year)).padStart(6, '0')
}
