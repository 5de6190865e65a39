/** The JSON Schema of a kitchen sheet. */
import { MEALS } from '../../core/records/fields/meals.ts'
import * as Schema from '../../core/request/object-schema.ts'
import { DIET, DIET_SCHEMA, DIETS_SCHEMA, PORTION_DAY_SCHEMA } from './portions-schema.ts'

const WAS_NOW = { was: Schema.count(), now: Schema.count() }
const MEAL_LIST = Schema.listOf(Schema.oneOf(MEALS))

const CHANGED_MEAL = Schema.object({
  ...WAS_NOW,
  diets: Schema.flag('whether the portions of any diet differ, even if their sum does not'),
})

const LATE_MEAL = Schema.orNull(
  Schema.object({
    cutOff: Schema.moment('until when changes are not late'),
    since: Schema.momentOrNull(
      'the moment whose state the meal is compared with: the cut-off, or later if the service did not run then, or that of the acknowledged sheet; null before the cut-off, and if it is not known',
    ),
    acknowledgedAt: Schema.momentOrNull('when late changes were last acknowledged'),
    changes: Schema.countOrNull(
      'guests whose portion or diet has changed since; null before the cut-off, and if it is not known',
    ),
  }),
  'null if the meal has no cut-off',
)

const LATE = Schema.described(
  Schema.object({
    meals: Schema.object({ breakfast: LATE_MEAL, lunch: LATE_MEAL, dinner: LATE_MEAL }),
    guests: Schema.list(
      'guests with late changes, by identifier and room, without names',
      Schema.object({ guestId: Schema.text(), room: Schema.textOrNull(), meals: MEAL_LIST }),
    ),
  }),
  'changes after the cut-offs that nobody has acknowledged; only if the center has cut-offs',
)

export const SHEET_SCHEMA = Schema.object(
  {
    sheet: Schema.numberedOrNull(
      'number of the sheet; the first one of a day is 1. Null for a day of which none are stored, or none was taken',
    ),
    takenAt: Schema.momentOrNull('when the sheet was stored, or null'),
    onWall: Schema.described(
      Schema.object({
        sheet: Schema.numberedOrNull('its number; null if there is none'),
        confirmedAt: Schema.momentOrNull(
          'when a person confirmed it, or confirmed that there is none; null if nobody has',
        ),
      }),
      'the sheet that is on the wall: the confirmed one, or else the newest that was stored by this request',
    ),
    sheets: Schema.list(
      'the sheets of the day that are stored, newest first',
      Schema.object({
        sheet: Schema.atLeastOne(),
        takenAt: Schema.moment(),
      }),
    ),
    diets: DIETS_SCHEMA,
    day: { ...PORTION_DAY_SCHEMA, description: 'the numbers at that moment, as in `days` of the portions' },
    changes: Schema.described(
      Schema.object({
        meals: Schema.object({ breakfast: CHANGED_MEAL, lunch: CHANGED_MEAL, dinner: CHANGED_MEAL }),
        byDiet: Schema.list(
          'diets whose portions differ',
          Schema.object(
            {
              ...DIET,
              breakfast: Schema.object(WAS_NOW),
              lunch: Schema.object(WAS_NOW),
              dinner: Schema.object(WAS_NOW),
            },
            ['kind'],
          ),
        ),
        guests: Schema.list(
          'guests whose meals, diets or room differ, by identifier and room, without names',
          Schema.object(
            {
              guestId: Schema.text(),
              room: Schema.textOrNull('name of the room; null if there is none'),
              kind: Schema.oneOf(['came', 'left', 'changed']),
              more: { ...MEAL_LIST, description: 'meals that are now cooked for the guest, and were not' },
              fewer: { ...MEAL_LIST, description: 'meals that were cooked for the guest, and no longer are' },
              dietsAdded: Schema.listOf(DIET_SCHEMA),
              dietsRemoved: Schema.listOf(DIET_SCHEMA),
              changedAt: Schema.momentOrNull(
                'when the guest last changed; null if the change was part of a large import, or too long ago',
              ),
              additional: Schema.described(
                Schema.object({
                  breakfast: Schema.object(WAS_NOW),
                  lunch: Schema.object(WAS_NOW),
                  dinner: Schema.object(WAS_NOW),
                }),
                'portions of people without a name who eat with the guest; only if their number differs at a meal',
              ),
              roomWas: Schema.textOrNull('the room before; only for a guest who has moved'),
            },
            ['additional', 'roomWas'],
          ),
        ),
      }),
      'what has changed from then until now',
    ),
    late: LATE,
  },
  ['late'],
)
