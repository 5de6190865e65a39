/** The meals of a day, in its order: the keys of `skippingMeals`, and how the report names them. */
export const MEALS = ['breakfast', 'lunch', 'dinner'] as const

export type Meal = (typeof MEALS)[number]
