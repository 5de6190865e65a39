/** Counts skipped meals for the kitchen: by date, by guest, and in total. */

import { MEALS, type Meal } from '../fields/meals.ts'
import { csvLine } from '../files/csv.ts'
import { compareNames, fullName } from '../locale/names.ts'
import { localDateOf } from '../locale/zones.ts'
import { eachInSlices, ITEMS_PER_SLICE, type Sliced, sortedInSlices } from '../request/slices.ts'
import { daysOfSession } from './session-days.ts'

/** A row of `meals-sql.ts`. */
export type SkippingRow = readonly [
  id: string,
  firstName: string,
  lastName: string,
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

/** `csv`: a row for each skipped meal. */
export type ReportForm = 'json' | 'csv'

/** A report as text. */
export interface ReportText {
  /** the text of a `MealSkippingReport` in the requested form */
  readonly pieces: readonly string[]
  /** the guests that it shows */
  readonly ids: readonly string[]
}

interface SkippingGuest {
  readonly id: string
  readonly name: string
  /** both in JSON */
  readonly idText: string
  readonly nameText: string
  /** the text of its `GuestName`, which is repeated at each of its meals; in CSV the end of a row */
  readonly text: string
  /** never empty */
  readonly byDay: ReadonlyMap<string, MealBits>
}

/** Several meals of one day: the bit `1 << n` means `MEALS[n]`. */
type MealBits = number

const has = (meals: MealBits, at: number) => (meals & (1 << at)) !== 0

/** Each combination of meals in JSON, in the order of the day. */
const MEAL_LISTS = Array.from({ length: 1 << MEALS.length }, (_, meals) =>
  JSON.stringify(MEALS.filter((_, at) => has(meals, at))),
)

interface Day {
  /** the date in JSON */
  readonly dateText: string
  /** the texts of the guests who skip each meal */
  readonly guests: Readonly<Record<Meal, string[]>>
}

/**
 * @param totalGuests the guests that were analyzed, with and without skips
 * @param rows those who have skips recorded. A skip outside the guest's own stay, or outside the report's days, is not
 * counted (rulings 28 and 29); days are local days of the center.
 */
export function* presentReport(
  totalGuests: number,
  rows: readonly SkippingRow[],
  scope: ReportScope,
  form: ReportForm,
): Sliced<ReportText> {
  const guests: SkippingGuest[] = []
  yield* eachInSlices(
    rows,
    (row) => {
      const byDay = skipsByDay(row, scope)
      if (byDay.size > 0) guests.push(skippingGuest(row, byDay, form))
    },
    ([, , , , , skips]) => weightOf(MEALS.reduce((days, meal) => days + (skips[meal]?.length ?? 0), 0)),
  )
  const sorted = yield* sortedInSlices(
    guests,
    (a, b) => compareNames(a.name, b.name) || (a.id < b.id ? -1 : 1),
  )
  const byDay = new Map<string, Day>()
  const weigh = (guest: SkippingGuest) => weightOf(guest.byDay.size)
  yield* eachInSlices(sorted, (guest) => countDays(guest, byDay), weigh)
  const days = yield* sortedInSlices([...byDay], byDate)
  const ids = sorted.map(({ id }) => id)
  if (form === 'csv') {
    const pieces = [csvLine(['date', 'meal', 'id', 'name'])]
    yield* eachInSlices(days, ([date, day]) => pieces.push(dayRows(date, day)), weighDay)
    return { pieces, ids }
  }

  const summary: MealSkippingReport['summary'] = {
    totalGuests,
    guestsWithSkipping: guests.length,
    datesWithSkipping: days.map(([date]) => date),
    mealsAffected: MEALS.filter((meal) => days.some(([, { guests }]) => guests[meal].length > 0)),
  }
  const pieces = [`{"summary":${JSON.stringify(summary)},"byDate":`]
  yield* members(pieces, days, ([, day]) => [day.dateText, dayText(day)], weighDay)
  pieces.push(',"byGuest":')
  yield* members(pieces, sorted, (guest) => [guest.idText, guestText(guest, byDay)], weigh)
  pieces.push('}')
  return { pieces, ids }
}

/** A guest with a usual stay is one item of a slice; one who skips meals for years is several. */
const weightOf = (days: number) => Math.max(1, days / 10)

const weighDay = ([, day]: readonly [string, Day]) =>
  weightOf(MEALS.reduce((sum, meal) => sum + day.guests[meal].length, 0))

/** Adds the text of an object, in pieces of so many members. @param memberOf both texts in JSON */
function* members<T>(
  pieces: string[],
  items: readonly T[],
  memberOf: (item: T) => [name: string, text: string],
  weigh: (item: T) => number,
): Sliced<void> {
  let piece = '{'
  let count = 0
  yield* eachInSlices(
    items,
    (item) => {
      const [name, text] = memberOf(item)
      piece += `${count > 0 ? ',' : ''}${name}:${text}`
      count += 1
      if (count % ITEMS_PER_SLICE > 0) return
      pieces.push(piece)
      piece = ''
    },
    weigh,
  )
  pieces.push(`${piece}}`)
}

const byDate = <T>(a: [string, T], b: [string, T]) => (a[0] < b[0] ? -1 : 1)

function skippingGuest(
  [id, first, last]: SkippingRow,
  byDay: ReadonlyMap<string, MealBits>,
  form: ReportForm,
): SkippingGuest {
  const name = fullName(first, last)
  const nameText = JSON.stringify(name)
  const idText = JSON.stringify(id)
  const text = form === 'csv' ? csvLine([id, name]) : `{"id":${idText},"name":${nameText}}`
  return { id, name, idText, nameText, text, byDay }
}

function countDays({ text, byDay: skips }: SkippingGuest, byDay: Map<string, Day>): void {
  for (const [date, meals] of skips) {
    let day = byDay.get(date)
    if (day === undefined) {
      day = { dateText: JSON.stringify(date), guests: { breakfast: [], lunch: [], dinner: [] } }
      byDay.set(date, day)
    }
    for (const [at, meal] of MEALS.entries()) if (has(meals, at)) day.guests[meal].push(text)
  }
}

/** The text of a date's `MealCount`s. */
function dayText({ guests }: Day): string {
  const meals = MEALS.map(
    (meal) => `"${meal}":{"count":${guests[meal].length},"guests":[${guests[meal].join(',')}]}`,
  )
  return `{${meals.join(',')}}`
}

/** The rows of a date, in the order of the day. */
const dayRows = (date: string, { guests }: Day): string =>
  MEALS.map((meal) => guests[meal].map((guest) => `${date},${meal},${guest}`).join('')).join('')

/** The text of a `GuestReport`. Making the object and then its JSON took a third of a report's time. */
function guestText({ nameText, byDay: skips }: SkippingGuest, byDay: ReadonlyMap<string, Day>): string {
  const days = [...skips].sort(byDate)
  const skippedMeals = days.map(
    ([date, meals]) => `{"date":${byDay.get(date)?.dateText},"meals":${MEAL_LISTS[meals]}}`,
  )
  const totals = MEALS.map((meal, at) => {
    const total = days.reduce((sum, [, meals]) => (has(meals, at) ? sum + 1 : sum), 0)
    return `"${TOTALS[meal]}":${total}`
  })
  return `{"name":${nameText},"skippedMeals":[${skippedMeals.join(',')}],${totals.join(',')}}`
}

const TOTALS = {
  breakfast: 'totalSkippedBreakfast',
  lunch: 'totalSkippedLunch',
  dinner: 'totalSkippedDinner',
} as const satisfies Record<Meal, keyof GuestReport>

/** Each day on which the guest skips a meal that counts, with the meals in the order of the day. */
function skipsByDay(
  row: SkippingRow,
  { sessionId, days, zone, startDays }: ReportScope,
): Map<string, MealBits> {
  const [, , , startDate, endDate, skippingMeals, sessions] = row
  const arrival = localDateOf(zone, startDate)
  const departure = localDateOf(zone, endDate)
  const own = sessionId === undefined ? undefined : daysOfSession(sessionId, sessions, startDays)
  const first = latest(arrival, days?.first, own?.from)
  const last = days !== undefined && days.last < departure ? days.last : departure
  const before = own?.before
  const byDay = new Map<string, MealBits>()
  for (const [at, meal] of MEALS.entries()) {
    for (const date of skippingMeals[meal] ?? []) {
      if (date < first || date > last || (before !== undefined && date >= before)) continue
      byDay.set(date, (byDay.get(date) ?? 0) | (1 << at))
    }
  }
  return byDay
}

const latest = (day: string, ...others: readonly (string | undefined)[]) =>
  others.reduce<string>((so, other) => (other !== undefined && other > so ? other : so), day)
