/** The JSON Schema of the portions. */
import { COOKED_ON_REQUEST, MEALS, REASONS } from '../../core/records/fields/meals.ts'
import { ROLES } from '../../core/records/fields/statuses.ts'
import { object } from '../../core/request/object-schema.ts'

const COUNT = { type: 'integer', minimum: 0 }
const STRING = { type: 'string' }
const NULLABLE = { type: ['string', 'null'] }
const MEAL_LIST = { type: 'array', items: { type: 'string', enum: MEALS } }
const TIME = { type: ['string', 'null'], description: '`HH:MM`, local time; null if the center says none' }

const PRESENCE = object({
  present: { ...COUNT, description: 'guests who are present for the meal' },
  skipping: { ...COUNT, description: 'those of them who skip it' },
})

const MEAL = object(
  {
    served: { type: 'boolean', description: 'whether the center serves the meal on this day' },
    present: { ...COUNT, description: 'guests who are present for the meal' },
    skipping: { ...COUNT, description: 'those of them who skip it' },
    portions: {
      ...COUNT,
      description: 'portions to cook, with those of additional people; 0 if the meal is not served',
    },
    additional: {
      ...COUNT,
      description:
        'portions of people without a name, who eat with a guest (`meals` of the booking); absent if there are none',
    },
    notCookedFor: {
      ...object({ voided: PRESENCE, offer: PRESENCE }),
      description: 'bookings that nobody cooks for; they are not included in the other numbers',
    },
  },
  ['additional'],
)

const PORTIONS = { breakfast: COUNT, lunch: COUNT, dinner: COUNT }

export const DIET = {
  field: { ...NULLABLE, description: 'key of the custom field' },
  value: { ...NULLABLE, description: 'the value as the center wrote it' },
  label: { ...STRING, description: 'a heading for people' },
  allergy: { type: 'boolean', description: 'whether the center calls it an allergy or intolerance' },
  kind: {
    type: 'string',
    enum: ['unknown', 'allergy', 'diet', 'none', 'notAsked'],
    description:
      'only if the center lists the values of its diets: `unknown` for a text that is not in the list and may be an allergy; `none` for guests who were asked and have no diet; `notAsked` for guests of whom no diet field has a value',
  },
}

const list = (description: string, items: unknown) => ({ type: 'array', description, items })

const GUEST = object(
  {
    id: { ...STRING, description: 'guest identifier' },
    name: NULLABLE,
    role: { type: 'string', enum: ROLES },
    roleLabel: STRING,
    room: { ...NULLABLE, description: 'name of the room; null if there is none' },
    program: { ...NULLABLE, description: 'name of the program; null if there is none' },
    eats: { ...MEAL_LIST, description: 'meals of the day that are cooked for the guest' },
    skips: { ...MEAL_LIST, description: 'meals that the guest is present for but skips' },
    without: list(
      'with `includeReasons`: each meal that the guest does not eat, with the first rule that excludes it',
      object({
        meal: { type: 'string', enum: MEALS },
        reason: {
          type: 'string',
          enum: REASONS,
          description:
            'in the order in which the rules are applied: the meal is not served; the guest arrives after its end; it does not count on the day of arrival; the guest leaves before it begins; it does not count on the day of departure; the package or the program does not include it; the booking excludes it; the guest skips it',
        },
        at: {
          ...TIME,
          description:
            'hour of arrival or departure, `HH:MM`, local time, if it is the reason; otherwise null',
        },
      }),
    ),
    additional: {
      ...COUNT,
      description:
        'people without a name who eat with the guest at each of these meals; absent if there are none',
    },
    asked: {
      type: 'boolean',
      description:
        'whether any diet field has a value; only if your key may read all of them, and with `includeReasons` or if the center lists its diet values',
    },
    diets: { type: 'array', items: object(DIET, ['kind']) },
  },
  ['without', 'additional', 'asked'],
)

const DAY = {
  date: { type: 'string', format: 'date' },
  guests: { ...COUNT, description: 'guests in the house who are cooked for' },
  arriving: { ...COUNT, description: 'those of them who arrive on this day' },
  departing: { ...COUNT, description: 'those of them who leave on this day' },
  meals: object({ breakfast: MEAL, lunch: MEAL, dinner: MEAL }),
  byRole: list(
    'portions by role, each role once',
    object({ role: { type: 'string', enum: ROLES }, label: STRING, ...PORTIONS }),
  ),
  byProgram: list(
    'portions by program; `program` is null for guests without one',
    object({ program: NULLABLE, label: STRING, ...PORTIONS }),
  ),
  byRoom: list(
    'portions by room; `room` is null for guests without one',
    object({ room: NULLABLE, label: STRING, ...PORTIONS }),
  ),
  byDiet: list(
    'portions by diet: unknown values first, then allergies; the last rows, with `field` null, are for guests with no diet on record, and exist only if your key may read every diet field. A guest with two diets is in two rows.',
    object({ ...DIET, ...PORTIONS }, ['kind']),
  ),
  guestList: list(
    'with `includeGuests`: the guests who are present for a meal, by room and name; with `includeReasons`, all guests in the house who are cooked for',
    GUEST,
  ),
}

export const PORTION_DAY_SCHEMA = object(DAY, ['guestList'])

export const DIETS_SCHEMA = object({
  fields: list(
    'custom fields that are diets',
    object({ field: STRING, label: STRING, allergies: { type: 'array', items: STRING } }),
  ),
  withheld: list('keys of the diet fields that your key may not read; they are in no row', STRING),
})

export const PORTIONS_SCHEMA = object({
  rules: {
    ...object(
      {
        mealTimes: object({ breakfast: TIME, lunch: TIME, dinner: TIME }),
        mealEnds: {
          ...object({ breakfast: TIME, lunch: TIME, dinner: TIME }),
          description: 'until when arriving guests are served; absent if the center says it of no meal',
        },
        standardTimes: {
          ...object({
            arrival: { type: 'array', items: STRING },
            departure: { type: 'array', items: STRING },
          }),
          description: 'hours that say nothing; absent together with `mealEnds`',
        },
        arrivalMeals: { ...MEAL_LIST, description: 'meals that count on the day of arrival' },
        departureMeals: { ...MEAL_LIST, description: 'meals that count on the day of departure' },
        alsoCookFor: list('additional booking statuses that the kitchen cooks for', {
          type: 'string',
          enum: COOKED_ON_REQUEST,
        }),
      },
      ['mealEnds', 'standardTimes'],
    ),
    description: 'the rules of the center by which the portions are counted',
  },
  diets: DIETS_SCHEMA,
  days: list('every day of the range', PORTION_DAY_SCHEMA),
})
