/**
 * Who is on the sheet of a day by name: guests of whom the cook must know more than the plates. For each meal, the listed
 * guests who eat it and the others are together as many as its portions.
 */
import { eatingAt, type ListedGuest, MEALS, type Meal, type PortionsDay } from './portions.ts'
import { goesWithout, hasReasons, isExplained } from './reasons.ts'

export interface DayList {
  readonly guests: readonly ListedGuest[]
  /** those without a diet on record who are here for all meals and do as most do */
  readonly others: number
  /** of the others: asked, and have no diet; and not asked. Undefined if the center does not tell them apart. */
  readonly byAnswer: { readonly none: number; readonly unasked: number } | undefined
  /** the meals of the day that are cooked */
  readonly served: readonly Meal[]
  /** Meals that most skip, of which those who eat are listed: the same in fewer lines. */
  readonly byEaters: readonly Meal[]
  /** All other meals, of which those who skip are listed. */
  readonly bySkippers: readonly Meal[]
}

export function dayList(day: PortionsDay): DayList {
  const served = MEALS.filter((meal) => day.meals[meal].served)
  const all = day.guestList ?? []
  const without = (meal: Meal) => all.filter((guest) => goesWithout(guest, meal)).length
  const byEaters = served.filter((meal) => without(meal) > eatingAt(day, meal).length)
  const bySkippers = served.filter((meal) => !byEaters.includes(meal))
  const guests = all.filter((guest) => {
    const { diets, eats, additional = 0 } = guest
    return (
      diets.length > 0 ||
      additional > 0 ||
      isExplained(guest) ||
      bySkippers.some((meal) => !eats.includes(meal)) ||
      byEaters.some((meal) => eats.includes(meal))
    )
  })
  const rest = all.filter((guest) => !guests.includes(guest))
  const areAnswersShown = day.byDiet.some(({ kind }) => kind === 'none' || kind === 'notAsked')
  const unasked = rest.filter(({ asked }) => asked === false).length
  const byAnswer = areAnswersShown ? { none: rest.length - unasked, unasked } : undefined
  return { guests, others: rest.length, byAnswer, served, byEaters, bySkippers }
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
  /** whether its reasons are said in place of `here` */
  readonly hasReasons: boolean
  /** of the meals whose skippers are listed */
  readonly skips: readonly Meal[]
  /** of the meals whose eaters are listed */
  readonly eats: readonly Meal[]
}

export const dayRow = (
  guest: ListedGuest,
  { served, byEaters, bySkippers }: Pick<DayList, 'served' | 'byEaters' | 'bySkippers'>,
): DayRow => ({
  guest,
  here: hasReasons(guest) ? undefined : hereFor(guest, served),
  hasReasons: hasReasons(guest),
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
