/** `GET /administration/settings`: the settings of the center that its administration can change. */

import { uncachedPlan } from '../../core/acts/list-page.ts'
import { LANGUAGES } from '../../core/locale/languages.ts'
import { CONTRADICTION_KINDS, OFF_BY_DEFAULT } from '../../core/records/centers/contradiction-kinds.ts'
import { readMealRules } from '../../core/records/centers/meal-rules.ts'
import { readOrderRules, STATUS_LISTS } from '../../core/records/centers/order-rules.ts'
import { BOOKING_STATUSES } from '../../core/records/fields/statuses.ts'
import * as Schema from '../../core/request/object-schema.ts'
import { defineOperation } from '../../core/request/operation.ts'
import { readParameters, refusalOf } from '../../core/request/parameters.ts'
import { selectSettings } from './administration-sql.ts'

const TIME = Schema.textOrNull('`HH:MM`; null if the center says none')
const TEXTS = Schema.listOf(Schema.text())
const ofEachMeal = (schema: object) => Schema.object({ breakfast: schema, lunch: schema, dinner: schema })
const statusLists = Schema.object(Object.fromEntries(STATUS_LISTS.map((name) => [name, TEXTS])))

const DIET_VALUE = Schema.object({
  value: Schema.text(),
  otherSpellings: TEXTS,
  isAllergy: Schema.flag(),
  isNone: Schema.flag(),
})

const SETTINGS_SCHEMA = Schema.object({
  locale: Schema.text('language of answers to requests that ask for none'),
  languages: Schema.listOf(Schema.oneOf(LANGUAGES), 'what `locale` takes'),
  automaticBookingIds: Schema.flag('whether a booking gets an identifier on arrival'),
  bookingIdSession: Schema.oneOf(['number', 'name']),
  bookingIdFormat: Schema.text('pattern of automatic identifiers'),
  mealReportExcludedStatuses: Schema.listOf(Schema.oneOf(BOOKING_STATUSES)),
  mealRules: Schema.object({
    mealTimes: ofEachMeal(TIME),
    mealEnds: ofEachMeal(TIME),
    standardTimes: Schema.object({ arrival: TEXTS, departure: TEXTS }),
    arrivalMeals: TEXTS,
    departureMeals: TEXTS,
    daysNotServed: ofEachMeal(TEXTS),
    alsoCookFor: TEXTS,
    cutOffs: ofEachMeal(Schema.orNull(Schema.object({ daysBefore: Schema.count(), time: Schema.text() }))),
    dietFields: Schema.listOf(
      Schema.object({
        field: Schema.text(),
        allergies: TEXTS,
        values: {
          type: ['array', 'null'],
          items: DIET_VALUE,
          description: 'null: each text is one diet',
        },
      }),
    ),
  }),
  customFields: Schema.list(
    'custom fields of the center, of which those of the type `string` or `boolean` can be diets',
    Schema.object({
      key: Schema.text(),
      label: Schema.textOrNull(),
      type: Schema.oneOf(['string', 'number', 'boolean', 'date']),
    }),
  ),
  orderRules: Schema.object({ orderStatuses: statusLists, paymentStatuses: statusLists }),
  contradictionKinds: Schema.described(
    Schema.object(Object.fromEntries(CONTRADICTION_KINDS.map((kind) => [kind, Schema.flag()]))),
    'whether each kind is reported',
  ),
})

interface Row {
  readonly locale: string
  readonly automatic_booking_ids: boolean
  readonly booking_id_session: string
  readonly booking_id_format: string
  readonly meal_report_excluded_statuses: readonly string[]
  readonly meal_rules: unknown
  readonly order_rules: unknown
  readonly contradiction_kinds: Readonly<Record<string, boolean>> | null
}

export const getSettings = defineOperation({
  name: 'getSettings',
  summary: 'Settings of the center',
  description:
    'The settings of the center that actions change (`set-center`, `set-diet`), each with its default if the center says nothing. It reads no guest.',
  paths: ['/administration/settings'],
  scope: 'administration',
  dependsOn: [],
  parameters: {},
  response: SETTINGS_SCHEMA,

  parse({ center, query }) {
    const refusal = refusalOf(readParameters({}, query).problems)
    if (refusal !== undefined) return { requiredScopes: [], refusal }
    const customFields = [...center.metaFields.values()].map(({ key, label, type }) => ({ key, label, type }))
    return uncachedPlan('[]', selectSettings(center.id), ([row]: readonly [Row]) => {
      const rules = readMealRules(row.meal_rules)
      const kinds = row.contradiction_kinds ?? {}
      return {
        locale: row.locale,
        languages: LANGUAGES,
        automaticBookingIds: row.automatic_booking_ids,
        bookingIdSession: row.booking_id_session,
        bookingIdFormat: row.booking_id_format,
        mealReportExcludedStatuses: row.meal_report_excluded_statuses,
        mealRules: {
          ...rules,
          dietFields: rules.dietFields.map(({ field, allergies, values = null }) => ({
            field,
            allergies,
            values,
          })),
        },
        customFields,
        orderRules: readOrderRules(row.order_rules),
        contradictionKinds: Object.fromEntries(
          CONTRADICTION_KINDS.map((kind) => [kind, kinds[kind] ?? !OFF_BY_DEFAULT.has(kind)]),
        ),
      }
    })
  },
})
