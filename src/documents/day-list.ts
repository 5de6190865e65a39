/**
 * Who is on the sheet of a day by name: guests of whom the cook must know more than the plates. For each meal, the listed
 * guests who eat it and the others are together as many as its portions.
 */
import { eatingAt, type ListedGuest, MEALS, type Meal, type PortionsDay } from './portions.ts'
import { goesWithout, isExplained } from './reasons.ts'

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

/** What the sheet says of a guest at a meal: eats it, skips it, or does without it for another reason. */
export const MEAL_MARKS = { eats: '•', skips: '×', without: '–' } as const

/** A sign; nothing of a meal that is not served. */
export function mealMark({ eats, skips }: ListedGuest, meal: Meal, served: readonly Meal[]): string {
  if (!served.includes(meal)) return ''
  if (skips.includes(meal)) return MEAL_MARKS.skips
  return eats.includes(meal) ? MEAL_MARKS.eats : MEAL_MARKS.without
}
