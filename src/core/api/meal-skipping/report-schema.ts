/** The JSON Schema of the meal-skipping report. */
import { MEALS } from '../../records/fields/meals.ts'
import { object } from '../../request/object-schema.ts'

const COUNT = { type: 'integer', minimum: 0 }
const DAY = { type: 'string', format: 'date' }
const MEAL = { type: 'string', enum: MEALS }

const MEAL_COUNT = object({
  count: COUNT,
  guests: {
    type: 'array',
    items: object({ id: { type: 'string', description: 'guest identifier' }, name: { type: 'string' } }),
  },
})

export const REPORT_SCHEMA = object({
  summary: object({
    totalGuests: { ...COUNT, description: 'guests in the analysis' },
    guestsWithSkipping: { ...COUNT, description: 'guests who skip at least one meal' },
    datesWithSkipping: { type: 'array', items: DAY },
    mealsAffected: { type: 'array', items: MEAL },
  }),
  byDate: {
    type: 'object',
    description:
      'keyed by date, the days with at least one skip, ascending; a skip outside of the guest’s own stay is not counted, although `skippingMeals` shows it',
    propertyNames: DAY,
    additionalProperties: object({ breakfast: MEAL_COUNT, lunch: MEAL_COUNT, dinner: MEAL_COUNT }),
  },
  byGuest: {
    type: 'object',
    description: 'keyed by guest identifier, those who skip at least one meal',
    additionalProperties: object({
      name: { type: 'string' },
      skippedMeals: { type: 'array', items: object({ date: DAY, meals: { type: 'array', items: MEAL } }) },
      totalSkippedBreakfast: COUNT,
      totalSkippedLunch: COUNT,
      totalSkippedDinner: COUNT,
    }),
  },
})
