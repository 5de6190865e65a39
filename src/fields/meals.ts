/** The meals of a day, in its order: the keys of `skippingMeals` and of the meal-skipping report. */
export const MEALS = ['breakfast', 'lunch', 'dinner'] as const

export type Meal = (typeof MEALS)[number]
