/** Skipped meals, counted for the kitchen: by date, by guest, and in sum. */

import { MEALS, type Meal } from '../fields/meals.ts'
import { compareNames, fullName } from '../locale/names.ts'
import { localDateOf } from '../locale/zones.ts'
import { daysOfSession, type SessionStart } from './session-days.ts'

/** A row of `meals-sql.ts`. */
export type SkippingRow = readonly [
  id: string,
  firstName: string,
  lastName: string,
  startDate: number,
  endDate: number,
  skippingMeals: Partial<Record<Meal, readonly string[] | null>>,
  /** all sessions of the booking; null where it has one, or where the report is about no session */
  sessions: readonly SessionStart[] | null,
]

/** What the report is about. */
export interface ReportScope {
  /** only the days of each stay that belong to this session; undefined: whatever session they belong to */
  readonly sessionId: string | undefined
  /** only these local days; undefined: all days of each stay */
  readonly days: { readonly first: string; readonly last: string } | undefined
  /** the center's time zone */
  readonly zone: string
}

interface GuestName {
  readonly id: string
  readonly name: string
}

interface MealCount {
  count: number
  guests: GuestName[]
}

interface GuestReport {
  name: string
  skippedMeals: { date: string; meals: Meal[] }[]
  totalSkippedBreakfast: number
  totalSkippedLunch: number
  totalSkippedDinner: number
}

export interface MealSkippingReport {
  summary: {
    totalGuests: number
    guestsWithSkipping: number
    datesWithSkipping: string[]
    mealsAffected: Meal[]
  }
  byDate: Record<string, Record<Meal, MealCount>>
  byGuest: Record<string, GuestReport>
}

/**
 * @param totalGuests the guests in the analysis, with and without skips.
 * @param rows those who have skips recorded. A skip outside the guest's own stay, or outside the days the report
 * is about, is not counted (rulings 28 and 29); days are the center's local ones.
 */
export function presentReport(
  totalGuests: number,
  rows: readonly SkippingRow[],
  scope: ReportScope,
): MealSkippingReport {
  const guests = rows
    .map((row) => ({ id: row[0], name: fullName(row[1], row[2]), byDay: skipsByDay(row, scope) }))
    .filter((guest) => guest.byDay.size > 0)
    .sort((a, b) => compareNames(a.name, b.name) || (a.id < b.id ? -1 : 1))

  const byDay = new Map<string, Record<Meal, MealCount>>()
  const byGuest: [string, GuestReport][] = []
  for (const { id, name, byDay: skips } of guests) {
    const totals: Record<Meal, number> = { breakfast: 0, lunch: 0, dinner: 0 }
    const skippedMeals = [...skips].sort(byDate).map(([date, meals]) => ({ date, meals }))
    for (const { date, meals } of skippedMeals) {
      let counts = byDay.get(date)
      if (counts === undefined) {
        counts = { breakfast: noSkips(), lunch: noSkips(), dinner: noSkips() }
        byDay.set(date, counts)
      }
      for (const meal of meals) {
        totals[meal] += 1
        counts[meal].count += 1
        counts[meal].guests.push({ id, name })
      }
    }
    byGuest.push([
      id,
      {
        name,
        skippedMeals,
        totalSkippedBreakfast: totals.breakfast,
        totalSkippedLunch: totals.lunch,
        totalSkippedDinner: totals.dinner,
      },
    ])
  }

  const dates = [...byDay].sort(byDate)
  return {
    summary: {
      totalGuests,
      guestsWithSkipping: guests.length,
      datesWithSkipping: dates.map(([date]) => date),
      mealsAffected: MEALS.filter((meal) => dates.some(([, counts]) => counts[meal].count > 0)),
    },
    byDate: Object.fromEntries(dates),
    byGuest: Object.fromEntries(byGuest),
  }
}

const noSkips = (): MealCount => ({ count: 0, guests: [] })

const byDate = <T>(a: [string, T], b: [string, T]) => (a[0] < b[0] ? -1 : 1)

/** Each day on which the guest skips something that counts, with its meals in the order of the day. */
function skipsByDay(row: SkippingRow, { sessionId, days, zone }: ReportScope): Map<string, Meal[]> {
  const [, , , startDate, endDate, skippingMeals, sessions] = row
  const arrival = localDateOf(zone, startDate)
  const departure = localDateOf(zone, endDate)
  const own = sessionId === undefined ? undefined : daysOfSession(sessionId, sessions ?? [], zone)
  const first = latest(arrival, days?.first, own?.from)
  const last = days !== undefined && days.last < departure ? days.last : departure
  const before = own?.before
  const byDay = new Map<string, Meal[]>()
  for (const meal of MEALS) {
    for (const date of new Set(skippingMeals[meal] ?? [])) {
      if (date < first || date > last || (before !== undefined && date >= before)) continue
      const meals = byDay.get(date)
      if (meals === undefined) byDay.set(date, [meal])
      else meals.push(meal)
    }
  }
  return byDay
}

const latest = (day: string, ...others: readonly (string | undefined)[]) =>
  others.reduce<string>((so, other) => (other !== undefined && other > so ? other : so), day)
