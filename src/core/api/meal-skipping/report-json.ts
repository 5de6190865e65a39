/** Writes the JSON of a meal-skipping report. */
import { MEALS, type Meal } from '../../records/fields/meals.ts'
import { sharedJson as into } from '../../request/json-bytes.ts'
import { ITEMS_PER_SLICE, type Sliced } from '../../request/slices.ts'
import { type Day, has, type Skip, type SkippingGuest, weighDay, weighGuest } from './count-skips.ts'
import type { MealSkippingReport } from './report-schema.ts'

/**
 * @param guests in their order
 * @param days in their order
 * @returns the text of a `MealSkippingReport`
 */
export function* reportJson(
  totalGuests: number,
  guests: readonly SkippingGuest[],
  days: readonly Day[],
): Sliced<readonly Buffer[]> {
  const summary: MealSkippingReport['summary'] = {
    totalGuests,
    guestsWithSkipping: guests.length,
    datesWithSkipping: days.map(({ date }) => date),
    mealsAffected: MEALS.filter((_, at) => days.some(({ guests }) => guests[at]?.length !== 0)),
  }
  const pieces: Buffer[] = []
  into.begin()
  into.add(SUMMARY)
  into.addValue(summary)
  into.add(BY_DATE)
  yield* addMembers(pieces, days, addDay, weighDay)
  into.add(BY_GUEST)
  yield* addMembers(pieces, guests, addGuest, weighGuest)
  into.add(END)
  pieces.push(into.end())
  return pieces
}

/**
 * Adds an object. What has been written becomes a piece at each break, in which others write.
 * @param add writes a member
 */
function* addMembers<T>(
  pieces: Buffer[],
  items: readonly T[],
  add: (item: T) => void,
  weigh: (item: T) => number,
): Sliced<void> {
  let weight = 0
  let before = OBJECT
  for (const item of items) {
    if (weight >= ITEMS_PER_SLICE) {
      pieces.push(into.end())
      yield
      into.begin()
      weight = 0
    }
    into.add(before)
    before = COMMA
    add(item)
    weight += weigh(item)
  }
  into.add(items.length === 0 ? EMPTY : END)
}

/** Writes a date with its counts. */
function addDay({ date, guests }: Day): void {
  into.addText(date)
  for (const [at, { count, list }] of COUNTS.entries()) {
    const skipping = guests[at] ?? []
    into.add(count)
    into.addValue(skipping.length)
    into.add(list)
    for (let n = 0; n < skipping.length; n += 1) {
      const { id, name } = skipping[n] as SkippingGuest
      into.add(n === 0 ? ID : NEXT_ID)
      into.addText(id)
      into.add(NAME)
      into.addText(name)
      into.add(END)
    }
  }
  into.add(END_OF_DAY)
}

/** Writes a guest's identifier with the report. */
function addGuest({ id, name, skips }: SkippingGuest): void {
  into.addText(id)
  into.add(GUEST)
  into.addText(name)
  into.add(SKIPPED)
  for (let n = 0; n < skips.length; n += 1) {
    const { date, meals } = skips[n] as Skip
    into.add(n === 0 ? DATE : NEXT_DATE)
    into.addText(date)
    into.add(MEAL_LISTS[meals] as Buffer)
  }
  for (let at = 0; at < MEALS.length; at += 1) {
    into.add(TOTALS[at] as Buffer)
    into.addValue(skips.reduce((total, { meals }) => (has(meals, at) ? total + 1 : total), 0))
  }
  into.add(END)
}

const SUMMARY = Buffer.from('{"summary":')
const BY_DATE = Buffer.from(',"byDate":')
const BY_GUEST = Buffer.from(',"byGuest":')
const OBJECT = Buffer.from('{')
const COMMA = Buffer.from(',')
const END = Buffer.from('}')
const EMPTY = Buffer.from('{}')
const ID = Buffer.from('{"id":')
const NEXT_ID = Buffer.from(',{"id":')
const NAME = Buffer.from(',"name":')
const GUEST = Buffer.from(':{"name":')
const SKIPPED = Buffer.from(',"skippedMeals":[')
const DATE = Buffer.from('{"date":')
const NEXT_DATE = Buffer.from(',{"date":')
const END_OF_DAY = Buffer.from(']}}')

/** Before the number of guests who skip each meal, and before their list. */
const COUNTS = MEALS.map((meal, at) => ({
  count: Buffer.from(`${at === 0 ? ':{' : ']},'}"${meal}":{"count":`),
  list: Buffer.from(',"guests":['),
}))

/** After a date, by its `MealBits`: the meals in the order of the day. */
const MEAL_LISTS = Array.from({ length: 1 << MEALS.length }, (_, meals) =>
  Buffer.from(`,"meals":${JSON.stringify(MEALS.filter((_, at) => has(meals, at)))}}`),
)

const TOTAL_OF = {
  breakfast: 'totalSkippedBreakfast',
  lunch: 'totalSkippedLunch',
  dinner: 'totalSkippedDinner',
} as const satisfies Record<Meal, keyof MealSkippingReport['byGuest'][string]>

/** Before the total of each meal. */
const TOTALS = MEALS.map((meal, at) => Buffer.from(`${at === 0 ? ']' : ''},"${TOTAL_OF[meal]}":`))
