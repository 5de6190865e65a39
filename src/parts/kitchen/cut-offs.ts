/** Cut-offs of meals ("10:00 the day before"), and the changes that came after them. */

import { addDays } from '../../core/locale/dates.ts'
import { localDateOf, momentFromLocal } from '../../core/locale/zones.ts'
import type { MealRules } from '../../core/records/centers/meal-rules.ts'
import { MEALS, type Meal } from '../../core/records/fields/meals.ts'
import type { ChangedGuest } from './compare-days.ts'
import { msOfTime } from './decide-meals.ts'

/** The moment of a day's cut-off, in epoch milliseconds; undefined if the meal has none. */
export function cutOffOf(
  { cutOffs }: Pick<MealRules, 'cutOffs'>,
  zone: string,
  day: string,
  meal: Meal,
): number | undefined {
  const rule = cutOffs[meal]
  return rule === null
    ? undefined
    : momentFromLocal(zone, addDays(day, -rule.daysBefore), msOfTime(rule.time))
}

export const hasCutOffs = ({ cutOffs }: Pick<MealRules, 'cutOffs'>): boolean =>
  MEALS.some((meal) => cutOffs[meal] !== null)

/** The meals of today and later whose cut-off has passed. @param now epoch milliseconds */
export function passedCutOffs(
  rules: Pick<MealRules, 'cutOffs'>,
  zone: string,
  now: number,
): { readonly day: string; readonly meal: Meal }[] {
  const today = localDateOf(zone, now)
  return MEALS.flatMap((meal) => {
    const ahead = rules.cutOffs[meal]?.daysBefore ?? -1
    const days = Array.from({ length: ahead + 1 }, (_, after) => addDays(today, after))
    return days.flatMap((day) =>
      (cutOffOf(rules, zone, day, meal) ?? now + 1) <= now ? [{ day, meal }] : [],
    )
  })
}

/** Whether the change matters to who cooks the meal. Another room does not. */
export function isOfMeal(change: ChangedGuest, meal: Meal, eats: boolean): boolean {
  const { more, fewer, additional, dietsAdded, dietsRemoved } = change
  const { was, now } = additional?.[meal] ?? { was: 0, now: 0 }
  if (more.includes(meal) || fewer.includes(meal) || was !== now) return true
  return eats && (dietsAdded.length > 0 || dietsRemoved.length > 0)
}
