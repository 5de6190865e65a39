/** Which bookings are active (ruling 50): the people whom the house expects, and for whom the kitchen cooks. */
import type { Center } from '../centers/center.ts'
import { COOKED_ON_REQUEST } from './meals.ts'

type Rules = Pick<Center, 'mealReportExcludedStatuses' | 'mealRules'>

/**
 * The statuses of bookings that are not active: those that the meal-skipping report excludes (ruling 27), and voided
 * ones and offers unless the kitchen cooks for them (ruling 43).
 */
export const inactiveStatuses = ({ mealReportExcludedStatuses, mealRules }: Rules): readonly string[] => [
  ...new Set([
    ...mealReportExcludedStatuses,
    ...COOKED_ON_REQUEST.filter((status) => !mealRules.alsoCookFor.includes(status)),
  ]),
]
