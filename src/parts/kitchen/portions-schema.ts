/** The JSON Schema of the portions. */
import { COOKED_ON_REQUEST, MEALS, REASONS } from '../../core/records/fields/meals.ts'
import { ROLES } from '../../core/records/fields/statuses.ts'
import * as Schema from '../../core/request/object-schema.ts'

const MEAL_LIST = Schema.listOf(Schema.oneOf(MEALS))
const TIME = Schema.textOrNull('`HH:MM`, local time; null if the center says none')

const PRESENCE = Schema.object({
  present: Schema.count('guests who are present for the meal'),
  skipping: Schema.count('those of them who skip it'),
})

const MEAL = Schema.object(
  {
    served: Schema.flag('whether the center serves the meal on this day'),
    present: Schema.count('guests who are present for the meal'),
    skipping: Schema.count('those of them who skip it'),
    portions: Schema.count('portions to cook, with those of additional people; 0 if the meal is not served'),
    additional: Schema.count(
      'portions of people without a name, who eat with a guest (`meals` of the booking); absent if there are none',
    ),
    notCookedFor: Schema.described(
      Schema.object({ voided: PRESENCE, offer: PRESENCE }),
      'bookings that nobody cooks for; they are not included in the other numbers',
    ),
  },
  ['additional'],
)

const PORTIONS = { breakfast: Schema.count(), lunch: Schema.count(), dinner: Schema.count() }

export const DIET = {
  field: Schema.textOrNull('key of the custom field'),
  value: Schema.textOrNull('the value as the center wrote it'),
  label: Schema.text('a heading for people'),
  allergy: Schema.flag('whether the center calls it an allergy or intolerance'),
  kind: Schema.oneOf(
    ['unknown', 'allergy', 'diet', 'none', 'notAsked'],
    'only if the center lists the values of its diets: `unknown` for a text that is not in the list and may be an allergy; `none` for guests who were asked and have no diet; `notAsked` for guests of whom no diet field has a value',
  ),
}

export const DIET_SCHEMA = Schema.object(DIET, ['kind'])

const GUEST = Schema.object(
  {
    id: Schema.text('guest identifier'),
    name: Schema.textOrNull(),
    role: Schema.oneOf(ROLES),
    roleLabel: Schema.text(),
    room: Schema.textOrNull('name of the room; null if there is none'),
    program: Schema.textOrNull('name of the program; null if there is none'),
    eats: { ...MEAL_LIST, description: 'meals of the day that are cooked for the guest' },
    skips: { ...MEAL_LIST, description: 'meals that the guest is present for but skips' },
    without: Schema.list(
      'with `includeReasons`: each meal that the guest does not eat, with the first rule that excludes it',
      Schema.object({
        meal: Schema.oneOf(MEALS),
        reason: Schema.oneOf(
          REASONS,
          'in the order in which the rules are applied: the meal is not served; the guest arrives after its end; it does not count on the day of arrival; the guest leaves before it begins; it does not count on the day of departure; the package or the program does not include it; the booking excludes it; the guest skips it',
        ),
        at: {
          ...TIME,
          description:
            'hour of arrival or departure, `HH:MM`, local time, if it is the reason; otherwise null',
        },
      }),
    ),
    additional: Schema.count(
      'people without a name who eat with the guest at each of these meals; absent if there are none',
    ),
    asked: Schema.flag(
      'whether any diet field has a value; only if your key may read all of them, and with `includeReasons` or if the center lists its diet values',
    ),
    diets: Schema.listOf(DIET_SCHEMA),
  },
  ['without', 'additional', 'asked'],
)

const DAY = {
  date: Schema.day(),
  guests: Schema.count('guests in the house who are cooked for'),
  arriving: Schema.count('those of them who arrive on this day'),
  departing: Schema.count('those of them who leave on this day'),
  meals: Schema.object({ breakfast: MEAL, lunch: MEAL, dinner: MEAL }),
  byRole: Schema.list(
    'portions by role, each role once',
    Schema.object({ role: Schema.oneOf(ROLES), label: Schema.text(), ...PORTIONS }),
  ),
  byProgram: Schema.list(
    'portions by program; `program` is null for guests without one',
    Schema.object({ program: Schema.textOrNull(), label: Schema.text(), ...PORTIONS }),
  ),
  byRoom: Schema.list(
    'portions by room; `room` is null for guests without one',
    Schema.object({ room: Schema.textOrNull(), label: Schema.text(), ...PORTIONS }),
  ),
  byDiet: Schema.list(
    'portions by diet: unknown values first, then allergies; the last rows, with `field` null, are for guests with no diet on record, and exist only if your key may read every diet field. A guest with two diets is in two rows.',
    Schema.object({ ...DIET, ...PORTIONS }, ['kind']),
  ),
  guestList: Schema.list(
    'with `includeGuests`: the guests who are present for a meal, by room and name; with `includeReasons`, all guests in the house who are cooked for',
    GUEST,
  ),
}

export const PORTION_DAY_SCHEMA = Schema.object(DAY, ['guestList'])

export const DIETS_SCHEMA = Schema.object({
  fields: Schema.list(
    'custom fields that are diets',
    Schema.object({ field: Schema.text(), label: Schema.text(), allergies: Schema.listOf(Schema.text()) }),
  ),
  withheld: Schema.list(
    'keys of the diet fields that your key may not read; they are in no row',
    Schema.text(),
  ),
})

export const PORTIONS_SCHEMA = Schema.object({
  rules: Schema.described(
    Schema.object(
      {
        mealTimes: Schema.object({ breakfast: TIME, lunch: TIME, dinner: TIME }),
        mealEnds: Schema.described(
          Schema.object({ breakfast: TIME, lunch: TIME, dinner: TIME }),
          'until when arriving guests are served; absent if the center says it of no meal',
        ),
        standardTimes: Schema.described(
          Schema.object({
            arrival: Schema.listOf(Schema.text()),
            departure: Schema.listOf(Schema.text()),
          }),
          'hours that say nothing; absent together with `mealEnds`',
        ),
        arrivalMeals: { ...MEAL_LIST, description: 'meals that count on the day of arrival' },
        departureMeals: { ...MEAL_LIST, description: 'meals that count on the day of departure' },
        alsoCookFor: Schema.list(
          'additional booking statuses that the kitchen cooks for',
          Schema.oneOf(COOKED_ON_REQUEST),
        ),
      },
      ['mealEnds', 'standardTimes'],
    ),
    'the rules of the center by which the portions are counted',
  ),
  diets: DIETS_SCHEMA,
  days: Schema.list('every day of the range', PORTION_DAY_SCHEMA),
})
