/** Counts portions for the kitchen, by day and meal, with the guests who get them. */
import type { MealRules } from '../centers/meal-rules.ts'
import { type CookedOnRequest, type Meal, WEEKDAYS } from '../fields/meals.ts'
import { ROLES, type Role } from '../fields/statuses.ts'
import { localDateOfDays } from '../locale/civil.ts'
import { eachInSlices, type Sliced } from '../request/slices.ts'
import { type Diet, mealsOn, type Stay, weightOfStay } from './portion-stays.ts'

export type ByMeal<T> = Record<Meal, T>

interface Presence {
  present: number
  skipping: number
}

export interface MealPortions extends Presence {
  readonly served: boolean
  portions: number
  readonly notCookedFor: Record<CookedOnRequest, Presence>
}

/** Portions of guests who share a value. */
export interface PortionGroup<Of> extends ByMeal<number> {
  readonly of: Of
}

/** A guest at the meals of a day. */
export interface GuestAtMeals {
  readonly stay: Stay
  readonly eats: readonly Meal[]
  readonly skips: readonly Meal[]
}

export interface PortionDay {
  readonly date: string
  guests: number
  arriving: number
  departing: number
  readonly meals: ByMeal<MealPortions>
  readonly roles: Map<Role, PortionGroup<Role>>
  readonly programs: Map<string | null, PortionGroup<Stay['program']>>
  readonly rooms: Map<string | null, PortionGroup<Stay['room']>>
  readonly diets: Map<string, PortionGroup<Diet>>
  /** for guests without a recorded diet; undefined if there are none, and if not every diet may be shown */
  silent: PortionGroup<null> | undefined
  /** undefined if guests were not requested */
  readonly list: GuestAtMeals[] | undefined
}

export interface CountOptions {
  /** days since 1970-01-01, both included */
  readonly first: number
  readonly last: number
  readonly rules: MealRules
  /** whether all diets of the center are read: only then is it known who has none */
  readonly knowsDiets: boolean
  readonly withGuests: boolean
}

/** Every day of the range, in order. */
export function* countPortions(
  stays: readonly Stay[],
  { first, last, rules, knowsDiets, withGuests }: CountOptions,
): Sliced<PortionDay[]> {
  const days = Array.from({ length: last - first + 1 }, (_, at) => emptyDay(first + at, rules, withGuests))
  const count = (stay: Stay) => {
    for (let at = stay.first; at <= stay.last; at += 1) {
      const day = days[at - first]
      if (day !== undefined) countDay(day, stay, at, mealsOn(stay, at, rules), knowsDiets)
    }
  }
  yield* eachInSlices(stays, count, weightOfStay)
  return days
}

function countDay(
  day: PortionDay,
  stay: Stay,
  at: number,
  present: readonly Meal[],
  knowsDiets: boolean,
): void {
  const { date, meals } = day
  const skips = present.filter((meal) => stay.skips[meal].has(date))
  if (stay.notCookedFor !== undefined) {
    for (const meal of present)
      countPresence(meals[meal].notCookedFor[stay.notCookedFor], skips.includes(meal))
    return
  }
  day.guests += 1
  if (at === stay.arrival) day.arriving += 1
  if (at === stay.departure) day.departing += 1
  for (const meal of present) countPresence(meals[meal], skips.includes(meal))
  const eats = present.filter((meal) => meals[meal].served && !skips.includes(meal))
  for (const meal of eats) meals[meal].portions += 1
  serve(groupOf(day.roles, stay.role, stay.role), eats)
  serve(groupOf(day.programs, stay.program.id, stay.program), eats)
  serve(groupOf(day.rooms, stay.room.id, stay.room), eats)
  for (const diet of stay.diets) serve(groupOf(day.diets, `${diet.field}\n${diet.value}`, diet), eats)
  if (knowsDiets && !stay.hasDiet) {
    day.silent ??= emptyGroup(null)
    serve(day.silent, eats)
  }
  if (present.length > 0) day.list?.push({ stay, eats, skips })
}

function countPresence(count: Presence, isSkipped: boolean): void {
  count.present += 1
  if (isSkipped) count.skipping += 1
}

function serve(group: ByMeal<number>, eats: readonly Meal[]): void {
  for (const meal of eats) group[meal] += 1
}

function groupOf<Key, Of>(groups: Map<Key, PortionGroup<Of>>, key: Key, of: Of): PortionGroup<Of> {
  const known = groups.get(key)
  if (known !== undefined) return known
  const group = emptyGroup(of)
  groups.set(key, group)
  return group
}

const emptyGroup = <Of>(of: Of): PortionGroup<Of> => ({ of, breakfast: 0, lunch: 0, dinner: 0 })

function emptyDay(day: number, rules: MealRules, withGuests: boolean): PortionDay {
  const date = localDateOfDays(day)
  const meal = (name: Meal): MealPortions => ({
    served: isServed(rules, name, day),
    present: 0,
    skipping: 0,
    portions: 0,
    notCookedFor: { voided: { present: 0, skipping: 0 }, offer: { present: 0, skipping: 0 } },
  })
  return {
    date,
    guests: 0,
    arriving: 0,
    departing: 0,
    meals: byMeal(meal),
    roles: new Map(ROLES.map((role) => [role, emptyGroup(role)])),
    programs: new Map(),
    rooms: new Map(),
    diets: new Map(),
    silent: undefined,
    list: withGuests ? [] : undefined,
  }
}

/** @param day days since 1970-01-01 */
export const isServed = (rules: MealRules, meal: Meal, day: number): boolean =>
  !rules.daysNotServed[meal].some((closed) => closed === localDateOfDays(day) || closed === weekdayOf(day))

/** 1970-01-01 was a Thursday. */
const weekdayOf = (day: number) => WEEKDAYS[(((day + 3) % 7) + 7) % 7]

export const byMeal = <T>(value: (meal: Meal) => T): ByMeal<T> => ({
  breakfast: value('breakfast'),
  lunch: value('lunch'),
  dinner: value('dinner'),
})
