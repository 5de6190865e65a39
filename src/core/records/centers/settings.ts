/** What of a center its administration can set without a terminal. */

/**
 * What may be set without a terminal. Not whether keys may read at all, under pseudonyms or in longer pages: who runs the
 * service decides that. Not the name, the time zone and the currency either, which stored records depend on.
 */
export const SETTINGS = [
  'locale',
  'automaticBookingIds',
  'bookingIdSession',
  'bookingIdFormat',
  'mealReportExcludedStatuses',
  'mealRules',
  'orderRules',
  'contradictionKinds',
] as const

export const DIET_MEANINGS = ['diet', 'allergy', 'none', 'unknown'] as const

export interface DietSetting {
  /** key of a custom field */
  readonly field: string
  readonly value: string
  readonly otherSpellings: readonly string[]
  /** `unknown`: it is no longer in the list */
  readonly meaning: (typeof DIET_MEANINGS)[number]
}
