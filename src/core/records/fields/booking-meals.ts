/** The meals of a single booking: an array of spans of days, each with what differs (ruling 43). */

import Type from 'typebox'
import { type FieldReason, onlyEnglish } from '../../locale/said.ts'
import { MEALS, type Meal } from './meals.ts'
import * as takes from './values.ts'

/** What is said of the days from one to another, both included. */
export interface OwnMeals {
  readonly from: string
  readonly until: string
  /** only these meals are eaten */
  readonly only?: readonly Meal[] | null
  /** these are eaten although the hours, the package or the program say otherwise */
  readonly also?: readonly Meal[] | null
  /** people who eat with the guest */
  readonly guests?: number | null
}

/** A stay of months with a rule for each of its days is longer than any that is known. */
const SPANS_MAX = 200
/** More than any group that is booked under one name. */
const GUESTS_MAX = 1000

const meals = (description: string) =>
  Type.Optional(takes.uniqueList(description, takes.oneOf('Meal.', [...MEALS]), MEALS.length))

export const ownMeals = (description: string) =>
  takes.list(
    description,
    Type.Object({
      from: takes.localDate('First day.'),
      until: takes.localDate('Last day, included.'),
      only: meals('The only meals that are eaten on these days; an empty list means none.'),
      also: meals(
        'Meals that are eaten although the hours of the stay, the package or the program exclude them: a late plate, a breakfast box.',
      ),
      guests: Type.Optional(
        takes.integer('Additional people at each meal that the guest eats on these days.', 1, GUESTS_MAX),
      ),
    }),
    SPANS_MAX,
  )

/** Finds problems of an entry that no single value shows. @param stored the column, in any state */
export function checkOwnMeals(stored: unknown): FieldReason[] {
  if (!Array.isArray(stored)) return []
  return (stored as readonly OwnMeals[]).flatMap(({ from, until, ...what }, at) => {
    const field = `meals[${at}]`
    if (until < from) {
      return [{ field: `${field}.until`, ...onlyEnglish(`is "${until}", which is before from (${from})`) }]
    }
    if (Object.values(what).every((value) => value === null || value === undefined)) {
      return [
        { field, ...onlyEnglish('says nothing of these days; give at least one of only, also, guests') },
      ]
    }
    return []
  })
}

/** Those of a stay, read from the database. The center's own system may have written them, so nothing is trusted. */
export function readOwnMeals(stored: unknown): readonly OwnMeals[] {
  if (!Array.isArray(stored)) return []
  return stored.flatMap((entry: unknown): OwnMeals[] => {
    if (typeof entry !== 'object' || entry === null) return []
    const { from, until, only, also, guests } = entry as Readonly<Record<string, unknown>>
    if (typeof from !== 'string' || typeof until !== 'string') return []
    return [
      {
        from,
        until,
        only: mealsIn(only),
        also: mealsIn(also),
        guests: typeof guests === 'number' && Number.isSafeInteger(guests) && guests > 0 ? guests : null,
      },
    ]
  })
}

const mealsIn = (value: unknown): readonly Meal[] | null =>
  Array.isArray(value) ? MEALS.filter((meal) => value.includes(meal)) : null
