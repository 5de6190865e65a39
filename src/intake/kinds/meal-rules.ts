/** The meal rules of a center, a part of its record. */
import Type from 'typebox'
import { COOKED_ON_REQUEST, MEALS, WEEKDAYS } from '../../fields/meals.ts'
import {
  filledText,
  identifier,
  list,
  oneOf,
  timeOfDay,
  uniqueList,
  weekdayOrDate,
} from '../../fields/values.ts'
import type { Json, JsonObject } from './kind.ts'

const { Optional } = Type

/** A center has two or three; the bound keeps the statement for portions small. */
export const DIET_FIELDS_MAX = 20
const ALLERGIES_MAX = 200

const ofEachMeal = <Schema extends Parameters<typeof Optional>[0]>(
  description: string,
  schema: (meal: string) => Schema,
) =>
  Type.Object(
    {
      breakfast: Optional(schema('breakfast')),
      lunch: Optional(schema('lunch')),
      dinner: Optional(schema('dinner')),
    },
    { description },
  )

const meals = (description: string) => uniqueList(description, oneOf('Meal.', [...MEALS]), MEALS.length)

export const mealRules = Type.Object(
  {
    mealTimes: Optional(ofEachMeal('When meals begin.', (meal) => timeOfDay(`When ${meal} begins.`))),
    arrivalMeals: Optional(meals('Meals that a guest eats on the day of arrival; `dinner` by default.')),
    departureMeals: Optional(
      meals('Meals that a guest eats on the day of departure; `breakfast` by default.'),
    ),
    daysNotServed: Optional(
      ofEachMeal('Days on which a meal is not served.', (meal) =>
        uniqueList(
          `Days without ${meal}: dates, or days of the week that are always without it.`,
          weekdayOrDate('Day.', WEEKDAYS),
        ),
      ),
    ),
    dietFields: Optional(
      list(
        'Custom fields that are diets, in the order in which the kitchen reads them.',
        Type.Object({
          field: identifier('Key of a custom field of the type `string` or `boolean`.'),
          allergies: Optional(
            uniqueList(
              'Those of its values that are allergies or intolerances; of a `boolean` field, `true`.',
              filledText('Value.'),
              ALLERGIES_MAX,
            ),
          ),
        }),
        DIET_FIELDS_MAX,
      ),
    ),
    alsoCookFor: Optional(
      uniqueList(
        'Statuses of bookings that the kitchen cooks for although they are not stays; none by default.',
        oneOf('Booking status.', [...COOKED_ON_REQUEST]),
        COOKED_ON_REQUEST.length,
      ),
    ),
  },
  { description: 'What the kitchen cooks for whom.' },
)

type FieldProblem = { field: string; message: string }

/** Finds problems of the merged rules that no single value shows. */
export function checkMealRules(rules: Json | undefined): FieldProblem[] {
  if (typeof rules !== 'object' || rules === null || Array.isArray(rules)) return []
  return [...checkTimes(rules.mealTimes), ...checkDietFields(dietFieldsOf(rules))]
}

/** The keys of the custom fields that are diets, in their order. */
export function dietFieldsOf(rules: Json | undefined): string[] {
  const fields = (rules as JsonObject | null | undefined)?.dietFields
  return Array.isArray(fields) ? fields.map((entry) => String((entry as JsonObject).field)) : []
}

function checkTimes(times: Json | undefined): FieldProblem[] {
  const given = MEALS.flatMap((meal) => {
    const time = (times as JsonObject | null | undefined)?.[meal]
    return typeof time === 'string' ? [{ meal, time }] : []
  })
  return given.slice(1).flatMap(({ meal, time }, at) => {
    const before = given[at]
    if (before === undefined || before.time < time) return []
    return [
      {
        field: `mealRules.mealTimes.${meal}`,
        message: `is "${time}", which is not after ${before.meal} (${before.time})`,
      },
    ]
  })
}

const checkDietFields = (fields: readonly string[]): FieldProblem[] =>
  fields.flatMap((field, at) =>
    fields.indexOf(field) === at
      ? []
      : [
          {
            field: `mealRules.dietFields[${at}].field`,
            message: `is "${field}", which is in the list already`,
          },
        ],
  )
