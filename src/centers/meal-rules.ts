/** What a center says of its meals: which it serves, who eats them, and which custom fields are diets. */

type ByMeal<T> = Readonly<Record<'breakfast' | 'lunch' | 'dinner', T>>

/** A custom field that is a diet, and those of its values that are allergies. */
export interface DietField {
  readonly field: string
  readonly allergies: readonly string[]
}

export interface MealRules {
  /** `HH:MM`; null where the center says none */
  readonly mealTimes: ByMeal<string | null>
  readonly arrivalMeals: readonly string[]
  readonly departureMeals: readonly string[]
  /** dates, and days of the week in English */
  readonly daysNotServed: ByMeal<readonly string[]>
  readonly dietFields: readonly DietField[]
  readonly alsoCookFor: readonly string[]
}

/** A center's rules with the defaults in place of what is not said. */
export function readMealRules(stored: unknown): MealRules {
  const rules = asObject(stored)
  const times = asObject(rules.mealTimes)
  const closed = asObject(rules.daysNotServed)
  const time = (value: unknown) => (typeof value === 'string' ? value : null)
  return {
    mealTimes: { breakfast: time(times.breakfast), lunch: time(times.lunch), dinner: time(times.dinner) },
    arrivalMeals: texts(rules.arrivalMeals) ?? ['dinner'],
    departureMeals: texts(rules.departureMeals) ?? ['breakfast'],
    daysNotServed: {
      breakfast: texts(closed.breakfast) ?? [],
      lunch: texts(closed.lunch) ?? [],
      dinner: texts(closed.dinner) ?? [],
    },
    dietFields: (Array.isArray(rules.dietFields) ? rules.dietFields : []).flatMap((entry) => {
      const { field, allergies } = asObject(entry)
      return typeof field === 'string' ? [{ field, allergies: texts(allergies) ?? [] }] : []
    }),
    alsoCookFor: texts(rules.alsoCookFor) ?? [],
  }
}

// The center's own system may have written them, so nothing is taken for granted.
const asObject = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null ? { ...value } : {}

const texts = (value: unknown): readonly string[] | undefined =>
  Array.isArray(value) ? value.filter((one) => typeof one === 'string') : undefined
