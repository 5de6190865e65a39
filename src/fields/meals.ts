/** The meals of a day, in its order: the keys of `skippingMeals` and of the meal-skipping report. */
export const MEALS = ['breakfast', 'lunch', 'dinner'] as const

export type Meal = (typeof MEALS)[number]

/** Days on which a center may never serve a meal. */
export const WEEKDAYS = [
  'monday',
  'tuesday',
  'wednesday',
  'thursday',
  'friday',
  'saturday',
  'sunday',
] as const

/** Bookings that are no stays, although the meal-skipping report counts them: nobody cooks for them unasked. */
export const COOKED_ON_REQUEST = ['voided', 'offer'] as const
export type CookedOnRequest = (typeof COOKED_ON_REQUEST)[number]
