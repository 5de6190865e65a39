/** Converts date parameters to timestamps: days are local days of the center (rulings 11 and 12). */
import type { Dependency } from '../changes/change.ts'
import type { Problem } from '../errors/api-error.ts'
import { DAY_MS } from '../locale/civil.ts'
import { isoMoment, parseMoment } from '../locale/dates.ts'
import { endOfLocalDay, startOfLocalDay } from '../locale/zones.ts'
import type { DateInput } from './parameter-kinds.ts'

/**
 * Bounds as ISO 8601 texts for the database. An upper bound is inclusive; for a day without a time, it is the last
 * microsecond, the precision of the database.
 */
export interface Bounds {
  readonly lower: string | undefined
  readonly upper: string | undefined
}

/** The bounds as epoch ms, for an answer's dependencies. The upper one is rounded up to include its microseconds. */
export const spanOf = ({ lower, upper }: Bounds): NonNullable<Dependency['during']> => ({
  from: lower === undefined ? undefined : Date.parse(lower),
  to: upper === undefined ? undefined : Date.parse(upper) + 1,
})

/** The dates of a request. */
export interface DateInputs {
  readonly startDate: DateInput | string | undefined
  readonly endDate: DateInput | string | undefined
}

/** @returns the bounds in the zone, and the problem "start after end" if it applies (ruling 11) */
export function resolveBounds(dates: DateInputs, zone: string): { bounds: Bounds; problems: Problem[] } {
  const lower = lowerBound(asInput(dates.startDate), zone)
  const upper = upperBound(asInput(dates.endDate), zone)
  const problems: Problem[] = []
  if (
    lower !== undefined &&
    upper !== undefined &&
    isAfter(dates.startDate, dates.endDate, lower, upper.at)
  ) {
    problems.push({
      parameter: 'startDate',
      message: `startDate ${given(dates.startDate)} is after endDate ${given(dates.endDate)}. Give the earlier one as startDate.`,
    })
  }
  return {
    bounds: {
      lower: lower === undefined ? undefined : isoMoment(lower),
      upper: upper === undefined ? undefined : upper.text,
    },
    problems,
  }
}

// Days are compared as days: one that a zone skipped (Apia, 30 December 2011) ends before it begins.
function isAfter(
  startDate: DateInput | string | undefined,
  endDate: DateInput | string | undefined,
  lower: number,
  upper: number,
): boolean {
  const start = asInput(startDate)
  const end = asInput(endDate)
  if (start !== undefined && end !== undefined && 'day' in start && 'day' in end) return start.day > end.day
  return lower > upper
}

const asInput = (input: DateInput | string | undefined): DateInput | undefined =>
  typeof input === 'string' ? { day: input } : input

const given = (input: DateInput | string | undefined) => {
  const date = asInput(input)
  return date === undefined ? '' : 'day' in date ? date.day : date.moment
}

// The database has no year 0, and ISO texts have four digits: a zone must not move a bound beyond either end.
const FIRST = Date.UTC(1000, 0, 1)
const LAST = Date.UTC(9999, 11, 31, 23, 59, 59, 999)
const clamp = (at: number) => Math.min(Math.max(at, FIRST), LAST)

function lowerBound(input: DateInput | undefined, zone: string): number | undefined {
  if (input === undefined) return undefined
  const at = 'day' in input ? startOfLocalDay(zone, input.day) : parseMoment(input.moment, zone)
  return at === undefined ? undefined : clamp(at)
}

function upperBound(input: DateInput | undefined, zone: string): { at: number; text: string } | undefined {
  if (input === undefined) return undefined
  if ('moment' in input) {
    const at = parseMoment(input.moment, zone)
    return at === undefined ? undefined : { at: clamp(at), text: isoMoment(clamp(at)) }
  }
  const at = clamp(endOfLocalDay(zone, input.day))
  return { at, text: isoMoment(at).replace('Z', '999Z') }
}

/**
 * Estimates what a request costs the database from its parameters alone. Its priority depends on this.
 * @param part what can be read at the cost of one page: a number of days, or one session
 * @returns 1 for a page, more for larger ranges
 */
export function costOf(part: {
  readonly bounds: Bounds
  readonly sessions: number
  readonly daysPerCost: number
}): number {
  const { bounds, sessions, daysPerCost } = part
  if (sessions > 0) return sessions
  if (bounds.lower === undefined || bounds.upper === undefined) return 1
  return 1 + (Date.parse(bounds.upper) - Date.parse(bounds.lower)) / DAY_MS / daysPerCost
}
