/**
 * Who is on the sheet of a day by name: guests of whom the cook must know more than the plates. For each meal, the listed
 * guests who eat it and the others are together as many as its portions.
 */
import { eatingAt, type ListedGuest, MEALS, type Meal, type PortionsDay, skippingAt } from './portions.ts'

export interface DayList {
  readonly guests: readonly ListedGuest[]
  /** those without a diet on record who are here for all meals and do as most do */
  readonly others: number
  /** the meals of the day that are cooked */
  readonly served: readonly Meal[]
  /** Meals that most skip, of which those who eat are listed: the same in fewer lines. */
  readonly byEaters: readonly Meal[]
  /** All other meals, of which those who skip are listed. */
  readonly bySkippers: readonly Meal[]
}

export function dayList(day: PortionsDay): DayList {
  const served = MEALS.filter((meal) => day.meals[meal].served)
  const byEaters = served.filter((meal) => skippingAt(day, meal).length > eatingAt(day, meal).length)
  const bySkippers = served.filter((meal) => !byEaters.includes(meal))
  const all = day.guestList ?? []
  const guests = all.filter(
    ({ diets, eats }) =>
      diets.length > 0 ||
      bySkippers.some((meal) => !eats.includes(meal)) ||
      byEaters.some((meal) => eats.includes(meal)),
  )
  return { guests, others: all.length - guests.length, served, byEaters, bySkippers }
}

/** A guest who is not here for all meals: until or from one, or only for some. */
export type Here =
  | { readonly kind: 'until' | 'from'; readonly meal: Meal }
  | { readonly kind: 'only'; readonly meals: readonly Meal[] }

/** What the sheet says of a listed guest. */
export interface DayRow {
  readonly guest: ListedGuest
  /** undefined for a guest who is here for all meals of the day */
  readonly here: Here | undefined
  /** of the meals whose skippers are listed */
  readonly skips: readonly Meal[]
  /** of the meals whose eaters are listed */
  readonly eats: readonly Meal[]
}

export const dayRow = (
  guest: ListedGuest,
  { served, byEaters, bySkippers }: Omit<DayList, 'guests' | 'others'>,
): DayRow => ({
  guest,
  here: hereFor(guest, served),
  skips: bySkippers.filter((meal) => guest.skips.includes(meal)),
  eats: byEaters.filter((meal) => guest.eats.includes(meal)),
})

function hereFor({ eats, skips }: ListedGuest, served: readonly Meal[]): Here | undefined {
  const meals = served.filter((meal) => eats.includes(meal) || skips.includes(meal))
  if (meals.length === served.length) return undefined
  const isEqual = (some: readonly Meal[]) => some.every((meal, at) => meal === meals[at])
  const [first, last] = [meals.at(0), meals.at(-1)]
  if (last !== undefined && isEqual(served.slice(0, meals.length))) return { kind: 'until', meal: last }
  if (first !== undefined && isEqual(served.slice(-meals.length))) return { kind: 'from', meal: first }
  return { kind: 'only', meals }
}
