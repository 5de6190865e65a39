/** The JSON Schema of a kitchen sheet. */
import { MEALS } from '../../core/records/fields/meals.ts'
import { object } from '../../core/request/object-schema.ts'
import { DIET, DIETS_SCHEMA, PORTION_DAY_SCHEMA } from './portions-schema.ts'

const STRING = { type: 'string' }
const NULLABLE = { type: ['string', 'null'] }
const COUNT = { type: 'integer', minimum: 0 }
const WAS_NOW = { was: COUNT, now: COUNT }
const MEAL_LIST = { type: 'array', items: { type: 'string', enum: MEALS } }
const list = (description: string, items: unknown) => ({ type: 'array', description, items })

const CHANGED_MEAL = object({
  ...WAS_NOW,
  diets: {
    type: 'boolean',
    description: 'whether the portions of any diet differ, even if their sum does not',
  },
})

const LATE_MEAL = {
  ...object({
    cutOff: { ...STRING, format: 'date-time', description: 'until when changes are not late' },
    since: {
      ...NULLABLE,
      format: 'date-time',
      description:
        'the moment whose state the meal is compared with: the cut-off, or later if the service did not run then, or that of the acknowledged sheet; null before the cut-off, and if it is not known',
    },
    acknowledgedAt: {
      ...NULLABLE,
      format: 'date-time',
      description: 'when late changes were last acknowledged',
    },
    changes: {
      type: ['integer', 'null'],
      minimum: 0,
      description:
        'guests whose portion or diet has changed since; null before the cut-off, and if it is not known',
    },
  }),
  type: ['object', 'null'],
  description: 'null if the meal has no cut-off',
}

const LATE = {
  ...object({
    meals: object({ breakfast: LATE_MEAL, lunch: LATE_MEAL, dinner: LATE_MEAL }),
    guests: list(
      'guests with late changes, by identifier and room, without names',
      object({ guestId: STRING, room: NULLABLE, meals: MEAL_LIST }),
    ),
  }),
  description: 'changes after the cut-offs that nobody has acknowledged; only if the center has cut-offs',
}

export const SHEET_SCHEMA = object(
  {
    sheet: {
      type: ['integer', 'null'],
      minimum: 1,
      description:
        'number of the sheet; the first one of a day is 1. Null for a day of which none are stored, or none was taken',
    },
    takenAt: {
      ...NULLABLE,
      format: 'date-time',
      description: 'when the sheet was stored, or null',
    },
    onWall: {
      ...object({
        sheet: {
          type: ['integer', 'null'],
          minimum: 1,
          description: 'its number; null if there is none',
        },
        confirmedAt: {
          ...NULLABLE,
          format: 'date-time',
          description: 'when a person confirmed it, or confirmed that there is none; null if nobody has',
        },
      }),
      description:
        'the sheet that is on the wall: the confirmed one, or else the newest that was stored by this request',
    },
    sheets: list(
      'the sheets of the day that are stored, newest first',
      object({
        sheet: { type: 'integer', minimum: 1 },
        takenAt: { ...STRING, format: 'date-time' },
      }),
    ),
    diets: DIETS_SCHEMA,
    day: { ...PORTION_DAY_SCHEMA, description: 'the numbers at that moment, as in `days` of the portions' },
    changes: {
      ...object({
        meals: object({ breakfast: CHANGED_MEAL, lunch: CHANGED_MEAL, dinner: CHANGED_MEAL }),
        byDiet: list(
          'diets whose portions differ',
          object({ ...DIET, breakfast: object(WAS_NOW), lunch: object(WAS_NOW), dinner: object(WAS_NOW) }, [
            'kind',
          ]),
        ),
        guests: list(
          'guests whose meals, diets or room differ, by identifier and room, without names',
          object(
            {
              guestId: STRING,
              room: { ...NULLABLE, description: 'name of the room; null if there is none' },
              kind: { type: 'string', enum: ['came', 'left', 'changed'] },
              more: { ...MEAL_LIST, description: 'meals that are now cooked for the guest, and were not' },
              fewer: { ...MEAL_LIST, description: 'meals that were cooked for the guest, and no longer are' },
              dietsAdded: { type: 'array', items: object(DIET, ['kind']) },
              dietsRemoved: { type: 'array', items: object(DIET, ['kind']) },
              changedAt: {
                ...NULLABLE,
                format: 'date-time',
                description:
                  'when the guest last changed; null if the change was part of a large import, or too long ago',
              },
              additional: {
                ...object({
                  breakfast: object(WAS_NOW),
                  lunch: object(WAS_NOW),
                  dinner: object(WAS_NOW),
                }),
                description:
                  'portions of people without a name who eat with the guest; only if their number differs at a meal',
              },
              roomWas: { ...NULLABLE, description: 'the room before; only for a guest who has moved' },
            },
            ['additional', 'roomWas'],
          ),
        ),
      }),
      description: 'what has changed from then until now',
    },
    late: LATE,
  },
  ['late'],
)
