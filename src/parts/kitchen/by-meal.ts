/** A value for each meal. */
import type { Meal } from '../../core/records/fields/meals.ts'

export type ByMeal<T> = Record<Meal, T>

export const byMeal = <T>(value: (meal: Meal) => T): ByMeal<T> => ({
  breakfast: value('breakfast'),
  lunch: value('lunch'),
  dinner: value('dinner'),
})
