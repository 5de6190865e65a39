/** Counts portions for the kitchen, by day and meal, with the guests who get them. */

import { localDateOfDays } from '../../core/locale/civil.ts'
import type { MealRules } from '../../core/records/centers/meal-rules.ts'
import { type CookedOnRequest, MEALS, type Meal, WEEKDAYS } from '../../core/records/fields/meals.ts'
import { ROLES, type Role } from '../../core/records/fields/statuses.ts'
import { eachInSlices, type Sliced } from '../../core/request/slices.ts'
import { type ByMeal, byMeal } from './by-meal.ts'
import { type Decision, decideMeals, type MealDay } from './decide-meals.ts'
import { type Diet, type Eater, guestOn, type Named, type Stay, weightOfStay } from './portion-stays.ts'

interface Presence {
  present: number
  skipping: number
}

export interface MealPortions extends Presence {
  readonly served: boolean
  portions: number
  /** people without a name, who eat with a guest; included in `portions` */
  additional: number
  readonly notCookedFor: Record<CookedOnRequest, Presence>
}

/** Portions of guests who share a value. */
export interface PortionGroup<Of> extends ByMeal<number> {
  readonly of: Of
}

/** What is decided of a guest's meals of a day. */
export interface GuestDay {
  readonly guest: Eater
  readonly arrives: boolean
  readonly departs: boolean
  readonly decisions: Readonly<ByMeal<Decision>>
  /** people who eat with the guest */
  readonly additional: number
}

/** A guest at the meals of a day. */
export interface GuestAtMeals {
  readonly guest: Eater
  readonly eats: readonly Meal[]
  readonly skips: readonly Meal[]
  /** people who eat with the guest, at each meal that the guest eats */
  readonly additional: number
  readonly decisions: Readonly<ByMeal<Decision>>
}

/** A row of guests without a diet: asked, and they have none; or no field has a value. */
export type DietAnswer = 'none' | 'notAsked'

export interface PortionDay {
  readonly date: string
  guests: number
  arriving: number
  departing: number
  readonly meals: ByMeal<MealPortions>
  readonly roles: Map<Role, PortionGroup<Role>>
  readonly programs: Map<string | null, PortionGroup<Named>>
  readonly rooms: Map<string | null, PortionGroup<Named>>
  readonly diets: Map<string, PortionGroup<Diet>>
  /** for guests who were asked and have no diet; undefined if there are none, or if they are not counted */
  none: PortionGroup<null> | undefined
  /** for guests without a recorded diet; undefined if there are none, and if not every diet may be shown */
  silent: PortionGroup<null> | undefined
  /** undefined if guests were not requested */
  readonly list: GuestAtMeals[] | undefined
}

interface GuestOptions {
  /** whether all diets of the center are read: only then is it known who has none */
  readonly knowsDiets: boolean
  /** whether those who have none are counted (ruling 44); only together with `knowsDiets` */
  readonly countsNone: boolean
  /** which guests are listed: none, those who are there for a meal, or everybody in the house */
  readonly list: 'none' | 'present' | 'all'
}

export interface CountOptions extends GuestOptions {
  /** days since 1970-01-01, both included */
  readonly first: number
  readonly last: number
  readonly rules: MealRules
}

/** Every day of the range, in order. */
export function* countPortions(
  stays: readonly Stay[],
  { first, last, rules, ...options }: CountOptions,
): Sliced<PortionDay[]> {
  const days = Array.from({ length: last - first + 1 }, (_, at) => {
    const day = mealDay(rules, first + at)
    return { day, counted: emptyDay(day, options) }
  })
  const count = (stay: Stay) => {
    for (let at = stay.first; at <= stay.last; at += 1) {
      const found = days[at - first]
      if (found === undefined) continue
      const { day, counted } = found
      countGuest(counted, guestOn(stay, day, decideMeals(stay, day, rules)), options)
    }
  }
  yield* eachInSlices(stays, count, weightOfStay)
  return days.map(({ counted }) => counted)
}

/** The same of one day for which everything is decided. */
export function* countDecided(
  day: MealDay,
  guests: readonly GuestDay[],
  options: GuestOptions,
): Sliced<PortionDay> {
  const counted = emptyDay(day, options)
  yield* eachInSlices(guests, (guest) => countGuest(counted, guest, options))
  return counted
}

function countGuest(day: PortionDay, on: GuestDay, { knowsDiets, countsNone, list }: GuestOptions): void {
  const { meals } = day
  const { guest, decisions } = on
  const present = MEALS.filter((meal) => decisions[meal].isPresent)
  if (guest.notCookedFor !== undefined) {
    for (const meal of present)
      countPresence(meals[meal].notCookedFor[guest.notCookedFor], decisions[meal].isSkipped)
    return
  }
  day.guests += 1
  if (on.arrives) day.arriving += 1
  if (on.departs) day.departing += 1
  for (const meal of present) countPresence(meals[meal], decisions[meal].isSkipped)
  const eats = MEALS.filter((meal) => decisions[meal].reason === undefined)
  const additional = eats.length === 0 ? 0 : on.additional
  for (const meal of eats) {
    meals[meal].portions += 1 + additional
    meals[meal].additional += additional
  }
  // People without a name are in the rows of the booking that they come with; nobody has asked for their diets.
  const plates = 1 + additional
  serve(groupOf(day.roles, guest.role, guest.role), eats, plates)
  serve(groupOf(day.programs, guest.program.id, guest.program), eats, plates)
  serve(groupOf(day.rooms, guest.room.id, guest.room), eats, plates)
  for (const diet of guest.diets)
    serve(groupOf(day.diets, `${diet.field}\n${diet.kind}\n${diet.value}`, diet), eats, 1)
  if (countsNone && guest.isAsked && guest.diets.length === 0) {
    day.none ??= emptyGroup(null)
    serve(day.none, eats, 1)
  }
  const unasked = (guest.isAsked ? 0 : 1) + additional
  if (knowsDiets && unasked > 0) {
    day.silent ??= emptyGroup(null)
    serve(day.silent, eats, unasked)
  }
  if (list === 'all' || present.length > 0) {
    const skips = present.filter((meal) => decisions[meal].isSkipped)
    day.list?.push({ guest, eats, skips, additional, decisions })
  }
}

function countPresence(count: Presence, isSkipped: boolean): void {
  count.present += 1
  if (isSkipped) count.skipping += 1
}

function serve(group: ByMeal<number>, eats: readonly Meal[], plates: number): void {
  for (const meal of eats) group[meal] += plates
}

function groupOf<Key, Of>(groups: Map<Key, PortionGroup<Of>>, key: Key, of: Of): PortionGroup<Of> {
  const known = groups.get(key)
  if (known !== undefined) return known
  const group = emptyGroup(of)
  groups.set(key, group)
  return group
}

const emptyGroup = <Of>(of: Of): PortionGroup<Of> => ({ of, breakfast: 0, lunch: 0, dinner: 0 })

function emptyDay({ date, served }: MealDay, { list }: GuestOptions): PortionDay {
  const meal = (name: Meal): MealPortions => ({
    served: served[name],
    present: 0,
    skipping: 0,
    portions: 0,
    additional: 0,
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
    none: undefined,
    silent: undefined,
    list: list === 'none' ? undefined : [],
  }
}

/** @param at days since 1970-01-01 */
export function mealDay({ daysNotServed }: MealRules, at: number): MealDay {
  const date = localDateOfDays(at)
  // 1970-01-01 was a Thursday.
  const weekday = WEEKDAYS[(((at + 3) % 7) + 7) % 7]
  const isClosed = (closed: string) => closed === date || closed === weekday
  return { at, date, served: byMeal((meal) => !daysNotServed[meal].some(isClosed)) }
}
