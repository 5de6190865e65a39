/**
 * Decides of each meal whether a guest eats it, and says why not (ruling 43). Portions, kitchen sheets, walls and the
 * console show what is decided here; nothing else decides it.
 */
import type { MealRules } from '../../core/records/centers/meal-rules.ts'
import type { OwnMeals } from '../../core/records/fields/booking-meals.ts'
import { MEALS, type Meal, REASONS, type Reason } from '../../core/records/fields/meals.ts'
import { type ByMeal, byMeal } from './by-meal.ts'

/** What is decided of a meal. */
export interface Decision {
  /** whether the guest is there for the meal, served or not, skipped or not */
  readonly isPresent: boolean
  /** whether they are there and skip it */
  readonly isSkipped: boolean
  /** the first step that excludes the meal; undefined for a guest who eats it */
  readonly reason: Reason | undefined
}

/** What the decision reads of a stay. Days are counted from 1970-01-01, in the center's zone. */
export interface MealsOfStay {
  readonly arrival: number
  readonly departure: number
  /** local wall time, in milliseconds since 00:00; undefined if it is not known */
  readonly arrivalHour: number | undefined
  readonly departureHour: number | undefined
  /** of the package and of the program; undefined: all */
  readonly packageMeals: readonly string[] | undefined
  readonly programMeals: readonly string[] | undefined
  readonly own: readonly OwnMeals[]
  readonly skips: Readonly<Record<Meal, ReadonlySet<string>>>
}

/** A day of the center. */
export interface MealDay {
  /** days since 1970-01-01 */
  readonly at: number
  readonly date: string
  readonly served: Readonly<Record<Meal, boolean>>
}

/** All decisions that there are, each once: a house has thousands of meals a week. */
const DECISIONS = new Map(
  [undefined, ...REASONS].flatMap((reason) =>
    [0, 1, 2].map((presence) => [
      keyOf(reason, presence),
      { isPresent: presence > 0, isSkipped: presence === 2, reason } satisfies Decision,
    ]),
  ),
)

/** @param presence 0: absent, 1: present, 2: present, but skips */
function keyOf(reason: Reason | undefined, presence: number): string {
  return `${presence}${reason ?? ''}`
}

export function decisionOf(isPresent: boolean, isSkipped: boolean, reason: Reason | undefined): Decision {
  const found = DECISIONS.get(keyOf(reason, isSkipped ? 2 : isPresent ? 1 : 0))
  if (found === undefined) throw new RangeError(`no such reason: ${reason}`)
  return found
}

/** Of each meal of a day of the stay. */
export function decideMeals(stay: MealsOfStay, day: MealDay, rules: MealRules): ByMeal<Decision> {
  const own = stay.own.filter(({ from, until }) => from <= day.date && day.date <= until)
  return byMeal((meal) => decideMeal(stay, own, day, meal, rules))
}

/** The people who eat with the guest, at each meal that the guest eats. */
export const additionalPeople = ({ own }: MealsOfStay, { date }: MealDay): number =>
  own.reduce((sum, { from, until, guests }) => sum + (from <= date && date <= until ? (guests ?? 0) : 0), 0)

function decideMeal(
  stay: MealsOfStay,
  own: readonly OwnMeals[],
  day: MealDay,
  meal: Meal,
  rules: MealRules,
): Decision {
  const absent = whyAbsent(stay, own, day, meal, rules)
  const isSkipped = absent === undefined && stay.skips[meal].has(day.date)
  const reason = day.served[meal] ? (absent ?? (isSkipped ? 'skips' : undefined)) : 'notServed'
  return decisionOf(absent === undefined, isSkipped, reason)
}

/** Steps 3 to 5. */
function whyAbsent(
  stay: MealsOfStay,
  own: readonly OwnMeals[],
  day: MealDay,
  meal: Meal,
  rules: MealRules,
): Reason | undefined {
  const excluded = byHours(stay, day, meal, rules) ?? byTerms(stay, meal)
  if (excluded !== undefined) return own.some(({ also }) => also?.includes(meal)) ? undefined : excluded
  return own.some(({ only }) => only?.includes(meal) === false) ? 'ownMeals' : undefined
}

/** Step 3. Each side of the stay by itself: the hour of one may be known and that of the other not. */
function byHours(
  { arrival, departure, arrivalHour, departureHour }: MealsOfStay,
  { at }: MealDay,
  meal: Meal,
  { mealTimes, mealEnds, arrivalMeals, departureMeals }: MealRules,
): Reason | undefined {
  const [begin, end] = [mealTimes[meal], mealEnds[meal]]
  const areHoursKnown = begin !== null && end !== null
  if (at === arrival) {
    if (areHoursKnown && arrivalHour !== undefined) {
      if (arrivalHour >= msOfTime(end)) return 'arrivesAfter'
    } else if (!arrivalMeals.includes(meal)) return 'arrivalDay'
  }
  if (at === departure) {
    if (areHoursKnown && departureHour !== undefined) {
      if (departureHour <= msOfTime(begin)) return 'leavesBefore'
    } else if (!departureMeals.includes(meal)) return 'departureDay'
  }
  return undefined
}

/** Step 4. */
function byTerms({ packageMeals, programMeals }: MealsOfStay, meal: Meal): Reason | undefined {
  if (packageMeals?.includes(meal) === false) return 'package'
  return programMeals?.includes(meal) === false ? 'program' : undefined
}

const MINUTE_MS = 60_000

/** @param time `HH:MM` @returns milliseconds since 00:00 */
export const msOfTime = (time: string): number =>
  (Number(time.slice(0, 2)) * 60 + Number(time.slice(3, 5))) * MINUTE_MS

/** @param ms since 00:00 @returns `HH:MM` */
export function timeOfMs(ms: number): string {
  const minutes = Math.floor(ms / MINUTE_MS)
  const two = (number: number) => String(number).padStart(2, '0')
  return `${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`
}

/** Whether hours decide anything: only then are they looked up. */
export const useHours = ({ mealEnds }: MealRules): boolean => MEALS.some((meal) => mealEnds[meal] !== null)
