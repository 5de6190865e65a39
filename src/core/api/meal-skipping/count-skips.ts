/** Counts the meals that each guest skips (rulings 28 and 29). */

import { localDateOf } from '../../locale/zones.ts'
import { MEALS, type Meal } from '../../records/fields/meals.ts'
import { daysOfSession } from './session-days.ts'

/** A row of `meals-sql.ts`. */
export type SkippingRow = readonly [
  id: string,
  firstName: string | null,
  lastName: string | null,
  startDate: number,
  endDate: number,
  skippingMeals: Partial<Record<Meal, readonly string[] | null>>,
  /** all sessions of the booking; null if it has one, or if the report is not limited to a session */
  sessions: readonly string[] | null,
]

/** What the report covers. */
export interface ReportScope {
  /** only the days of each stay that belong to this session; undefined: all days */
  readonly sessionId: string | undefined
  /** only these local days; undefined: all days of each stay */
  readonly days: { readonly first: string; readonly last: string } | undefined
  /** the center's time zone */
  readonly zone: string
  /** in the form of `startDaysOf`, for every session of those guests who have several */
  readonly startDays: ReadonlyMap<string, string>
}

export interface SkippingGuest {
  readonly id: string
  readonly name: string
  /** by date; never empty */
  readonly skips: readonly Skip[]
}

/** What a guest skips on a day. */
export interface Skip {
  readonly date: string
  meals: MealBits
}

/** Several meals of one day: the bit `1 << n` means `MEALS[n]`. */
export type MealBits = number

export const has = (meals: MealBits, at: number) => (meals & (1 << at)) !== 0

export interface Day {
  readonly date: string
  /** the guests who skip each meal, in the order of `MEALS` */
  readonly guests: readonly SkippingGuest[][]
}

/**
 * Each day on which a guest skips a meal that counts, in order. A skip outside the guest's own stay, or outside the
 * report's days, does not (rulings 28 and 29); days are local days of the center.
 */
export function skipsOf(row: SkippingRow, { sessionId, days, zone, startDays }: ReportScope): Skip[] {
  const [, , , startDate, endDate, skippingMeals, sessions] = row
  const arrival = localDateOf(zone, startDate)
  const departure = localDateOf(zone, endDate)
  const own = sessionId === undefined ? undefined : daysOfSession(sessionId, sessions, startDays)
  const first = latest(arrival, days?.first, own?.from)
  const last = days !== undefined && days.last < departure ? days.last : departure
  const before = own?.before
  const found: Skip[] = []
  for (const [at, meal] of MEALS.entries()) {
    for (const date of skippingMeals[meal] ?? []) {
      if (date < first || date > last || (before !== undefined && date >= before)) continue
      found.push({ date, meals: 1 << at })
    }
  }
  return merged(found.sort(inOrder))
}

/** @param skips by date */
function merged(skips: readonly Skip[]): Skip[] {
  const merged: Skip[] = []
  for (const skip of skips) {
    const last = merged.at(-1)
    if (last?.date === skip.date) last.meals |= skip.meals
    else merged.push(skip)
  }
  return merged
}

const latest = (day: string, ...others: readonly (string | undefined)[]) =>
  others.reduce<string>((so, other) => (other !== undefined && other > so ? other : so), day)

/** Adds a guest to the days on which the guest skips a meal. */
export function countDays(guest: SkippingGuest, byDate: Map<string, Day>): void {
  for (const { date, meals } of guest.skips) {
    let day = byDate.get(date)
    if (day === undefined) {
      day = { date, guests: MEALS.map(() => []) }
      byDate.set(date, day)
    }
    for (let at = 0; at < MEALS.length; at += 1) if (has(meals, at)) day.guests[at]?.push(guest)
  }
}

/** Compares two dates for sorting. */
export const inOrder = (a: { readonly date: string }, b: { readonly date: string }) =>
  a.date < b.date ? -1 : a.date > b.date ? 1 : 0

/** A guest with a usual stay is one item of a slice; one who skips meals for years is several. */
export const weightOf = (days: number) => Math.max(1, days / 10)

export const weighGuest = ({ skips }: SkippingGuest) => weightOf(skips.length)

export const weighDay = ({ guests }: Day) => weightOf(guests.reduce((sum, { length }) => sum + length, 0))
