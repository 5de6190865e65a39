/** The meals of a day, in order: the keys of `skippingMeals` and of the meal-skipping report. */
export const MEALS = ['breakfast', 'lunch', 'dinner'] as const

export type Meal = (typeof MEALS)[number]

/** The days on which a center may be set to serve no meal. */
export const WEEKDAYS = [
  'monday',
  'tuesday',
  'wednesday',
  'thursday',
  'friday',
  'saturday',
  'sunday',
] as const

/**
 * Bookings that the meal-skipping report counts, although they are not stays: the kitchen cooks for them only if
 * requested.
 */
export const COOKED_ON_REQUEST = ['voided', 'offer'] as const
export type CookedOnRequest = (typeof COOKED_ON_REQUEST)[number]

/** Why a guest of the house does not eat a meal: the first step of ruling 43 that excludes it. In the order of the steps. */
export const REASONS = [
  'notServed',
  'arrivesAfter',
  'arrivalDay',
  'leavesBefore',
  'departureDay',
  'package',
  'program',
  'ownMeals',
  'skips',
] as const
export type Reason = (typeof REASONS)[number]
