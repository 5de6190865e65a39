/** The JSON Schema of the meal-skipping report. */
import { MEALS } from '../../records/fields/meals.ts'
import { type AnswerOf, count, day, listOf, object, oneOf, text } from '../../request/object-schema.ts'

const MEAL = oneOf(MEALS)

const MEAL_COUNT = object({
  count: count(),
  guests: listOf(object({ id: text('guest identifier'), name: text() })),
})

export const REPORT_SCHEMA = object({
  summary: object({
    totalGuests: count('guests in the analysis'),
    guestsWithSkipping: count('guests who skip at least one meal'),
    datesWithSkipping: listOf(day()),
    mealsAffected: listOf(MEAL),
  }),
  byDate: {
    type: 'object',
    description:
      'keyed by date, the days with at least one skip, ascending; a skip outside of the guest’s own stay is not counted, although `skippingMeals` shows it',
    propertyNames: day(),
    additionalProperties: object({ breakfast: MEAL_COUNT, lunch: MEAL_COUNT, dinner: MEAL_COUNT }),
  },
  byGuest: {
    type: 'object',
    description: 'keyed by guest identifier, those who skip at least one meal',
    additionalProperties: object({
      name: text(),
      skippedMeals: listOf(object({ date: day(), meals: listOf(MEAL) })),
      totalSkippedBreakfast: count(),
      totalSkippedLunch: count(),
      totalSkippedDinner: count(),
    }),
  },
})

export type MealSkippingReport = AnswerOf<typeof REPORT_SCHEMA>
