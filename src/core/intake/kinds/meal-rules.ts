/** The meal rules of a center, a part of its record. */

import Type from 'typebox'
import { type FieldReason, onlyEnglish } from '../../locale/said.ts'
import { compared, isSplit } from '../../records/fields/diet-values.ts'
import { COOKED_ON_REQUEST, MEALS, WEEKDAYS } from '../../records/fields/meals.ts'
import {
  filledText,
  flag,
  identifier,
  integer,
  list,
  oneOf,
  timeOfDay,
  uniqueList,
  weekdayOrDate,
} from '../../records/fields/values.ts'
import type { Json, JsonObject } from './kind.ts'

const { Optional } = Type

/** A center has two or three; the bound keeps the statement for portions small. */
export const DIET_FIELDS_MAX = 20
const ALLERGIES_MAX = 200
const SPELLINGS_MAX = 50
/** Sheets are stored for so many days ahead. */
const DAYS_BEFORE_MAX = 31
/** A booking system has one or two. */
const STANDARD_TIMES_MAX = 24

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

const standardTimes = (side: string, example: string) =>
  uniqueList(
    `Hours of ${side} that say nothing, such as ${example}.`,
    timeOfDay('Time of day.'),
    STANDARD_TIMES_MAX,
  )

export const mealRules = Type.Object(
  {
    mealTimes: Optional(ofEachMeal('When meals begin.', (meal) => timeOfDay(`When ${meal} begins.`))),
    mealEnds: Optional(
      ofEachMeal(
        'Until when a guest who arrives is still served. With it, the hours of arrival and departure decide whether a guest eats the meal.',
        (meal) => timeOfDay(`The last time at which ${meal} is served; later than it begins.`),
      ),
    ),
    standardTimes: Optional(
      Type.Object(
        {
          arrival: Optional(standardTimes('arrival', '15:00')),
          departure: Optional(standardTimes('departure', '11:00')),
        },
        {
          description:
            'Hours that the booking system writes if nobody knows the hour. A stay with such an hour counts as one without.',
        },
      ),
    ),
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
          values: Optional(
            list(
              'The values that the kitchen knows. Text is split at commas, semicolons, vertical bars and line breaks, except in brackets; a part that is not one of these values, compared without case and accents, is unknown, and shown as such. A note in brackets is shown with its part, which is an allergy if the part is one without the note, or if the note says that it is severe. Without the list, each text is one diet.',
              Type.Object({
                value: filledText('The value, as the kitchen reads it.'),
                otherSpellings: Optional(
                  uniqueList('Other ways to write it.', filledText('Spelling.'), SPELLINGS_MAX),
                ),
                isAllergy: Optional(flag('Whether it is an allergy or intolerance; false by default.')),
                isNone: Optional(
                  flag('Whether it says that the guest has no diet, such as `none`; false by default.'),
                ),
              }),
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
    cutOffs: Optional(
      ofEachMeal('Until when the kitchen takes changes. Later ones are shown as late.', (meal) =>
        Type.Object({
          daysBefore: integer(`Days before the day of ${meal}; 0 is the same day.`, 0, DAYS_BEFORE_MAX),
          time: timeOfDay('Local time.'),
        }),
      ),
    ),
  },
  { description: 'What the kitchen cooks for whom.' },
)

/** Finds problems of the merged rules that no single value shows. */
export function checkMealRules(rules: Json | undefined): FieldReason[] {
  if (typeof rules !== 'object' || rules === null || Array.isArray(rules)) return []
  return [
    ...checkTimes(rules.mealTimes),
    ...checkEnds(rules.mealTimes, rules.mealEnds),
    ...checkCutOffs(rules.cutOffs),
    ...checkDietFields(dietFieldsOf(rules)),
    ...checkDietValues(rules.dietFields),
  ]
}

/** The keys of the custom fields that are diets, in their order. */
export function dietFieldsOf(rules: Json | undefined): string[] {
  const fields = (rules as JsonObject | null | undefined)?.dietFields
  return Array.isArray(fields) ? fields.map((entry) => String((entry as JsonObject).field)) : []
}

const timeAt = (times: Json | undefined, meal: string): string | undefined => {
  const time = (times as JsonObject | null | undefined)?.[meal]
  return typeof time === 'string' ? time : undefined
}

function checkEnds(times: Json | undefined, ends: Json | undefined): FieldReason[] {
  return MEALS.flatMap((meal) => {
    const [begin, end] = [timeAt(times, meal), timeAt(ends, meal)]
    if (end === undefined) return []
    const problem = (message: string) => [
      { field: `mealRules.mealEnds.${meal}`, ...onlyEnglish(`is "${end}", ${message}`) },
    ]
    if (begin === undefined) {
      return problem(
        `but mealRules.mealTimes.${meal} is missing; an end needs the time at which the meal begins`,
      )
    }
    if (end <= begin) return problem(`which is not later than the begin of the meal (${begin})`)
    return []
  })
}

function checkTimes(times: Json | undefined): FieldReason[] {
  const given = MEALS.flatMap((meal) => {
    const time = timeAt(times, meal)
    return time === undefined ? [] : [{ meal, time }]
  })
  return given.slice(1).flatMap(({ meal, time }, at) => {
    const before = given[at]
    if (before === undefined || before.time < time) return []
    return [
      {
        field: `mealRules.mealTimes.${meal}`,
        ...onlyEnglish(`is "${time}", which is not after ${before.meal} (${before.time})`),
      },
    ]
  })
}

function checkDietValues(fields: Json | undefined): FieldReason[] {
  if (!Array.isArray(fields)) return []
  return fields.flatMap((entry, at) => {
    const { allergies, values } = entry as JsonObject
    if (!Array.isArray(values)) return []
    const path = `mealRules.dietFields[${at}]`
    if (values.length === 0) {
      return [
        {
          field: `${path}.values`,
          ...onlyEnglish('is empty, so every value would be unknown; leave it out'),
        },
      ]
    }
    if (Array.isArray(allergies) && allergies.length > 0) {
      return [
        {
          field: `${path}.allergies`,
          ...onlyEnglish('is given together with values; say isAllergy of those values instead'),
        },
      ]
    }
    return checkSpellings(values as JsonObject[], `${path}.values`)
  })
}

function checkSpellings(values: readonly JsonObject[], path: string): FieldReason[] {
  const seen = new Map<string, string>()
  return values.flatMap(({ value, otherSpellings, isAllergy, isNone }, at) => {
    const field = `${path}[${at}]`
    if (isAllergy === true && isNone === true) {
      return [
        { field: `${field}.isNone`, ...onlyEnglish('is true, and so is isAllergy; it can be only one') },
      ]
    }
    const spellings = [
      { field: `${field}.value`, text: String(value) },
      ...(Array.isArray(otherSpellings) ? otherSpellings : []).map((text, place) => ({
        field: `${field}.otherSpellings[${place}]`,
        text: String(text),
      })),
    ]
    return spellings.flatMap(({ field, text }) => {
      if (isSplit(text)) {
        return [
          {
            field,
            ...onlyEnglish('has a comma, semicolon, vertical bar or line break, at which text is split'),
          },
        ]
      }
      const before = seen.get(compared(text))
      seen.set(compared(text), field)
      if (before === undefined) return []
      return [{ field, ...onlyEnglish(`is the same as ${before}, compared without case and accents`) }]
    })
  })
}

/** Half a cut-off would be none, and nobody would notice. */
function checkCutOffs(cutOffs: Json | undefined): FieldReason[] {
  return MEALS.flatMap((meal) => {
    const cutOff = (cutOffs as JsonObject | null | undefined)?.[meal]
    if (cutOff === undefined || cutOff === null) return []
    return ['daysBefore', 'time'].flatMap((name) =>
      (cutOff as JsonObject)[name] === undefined
        ? [
            {
              field: `mealRules.cutOffs.${meal}.${name}`,
              ...onlyEnglish('is missing; a cut-off has daysBefore and time'),
            },
          ]
        : [],
    )
  })
}

const checkDietFields = (fields: readonly string[]): FieldReason[] =>
  fields.flatMap((field, at) =>
    fields.indexOf(field) === at
      ? []
      : [
          {
            field: `mealRules.dietFields[${at}].field`,
            ...onlyEnglish(`is "${field}", which is in the list already`),
          },
        ],
  )
