/** Which meal comes next, by the center's meal times. */
import type { MealPortionsAnswer } from '../../../client/src/index.ts'
import { MEALS, type Meal } from '../../../src/documents/portions.ts'

/** Where a center has set none. */
const USUAL: Readonly<Record<Meal, string>> = { breakfast: '08:00', lunch: '12:30', dinner: '18:30' }
/** A meal is over so many minutes after it began. */
const LASTS = 90

const minutesOf = (time: string) => Number(time.slice(0, 2)) * 60 + Number(time.slice(3, 5))

/**
 * @param time of the center's clock, `10:02`
 * @returns the meal that is eaten or comes next; undefined when the last one is over
 */
export function nextMeal(times: MealPortionsAnswer['rules']['mealTimes'], time: string): Meal | undefined {
  const now = minutesOf(time)
  return MEALS.find((meal) => now < minutesOf(times[meal] ?? USUAL[meal]) + LASTS)
}
