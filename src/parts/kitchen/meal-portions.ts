/** `GET /meals/portions`: what the kitchen cooks, by day and meal. */

import { type GuestFilters, type GuestPosition, guestsMatching } from '../../core/api/guests/guests-sql.ts'
import { rangeParameters, rangeRule } from '../../core/api/meal-skipping/meal-range.ts'
import { type SessionStart, startDaysOf } from '../../core/api/meal-skipping/session-days.ts'
import { errors, type Problem } from '../../core/errors/api-error.ts'
import { daysOfLocalDate } from '../../core/locale/civil.ts'
import { labelOf } from '../../core/locale/labels.ts'
import type { Center } from '../../core/records/centers/center.ts'
import { knownDiets } from '../../core/records/fields/diet-values.ts'
import { costOf, resolveBounds } from '../../core/request/bounds.ts'
import { type Format, MEDIA_TYPES } from '../../core/request/format.ts'
import {
  type Answer,
  type CustomFields,
  defineOperation,
  type RequiredScope,
  type Rows,
} from '../../core/request/operation.ts'
import { booleanParameter, enumParameter, identifierParameter } from '../../core/request/parameter-kinds.ts'
import { readParameters, refusalOf } from '../../core/request/parameters.ts'
import { eachInSlices, type Sliced } from '../../core/request/slices.ts'
import { type CountOptions, countPortions } from './count-portions.ts'
import {
  type NamedTerm,
  type PortionRow,
  type ShownDiet,
  type Stay,
  type StayScope,
  sharedOf,
  stayOf,
} from './portion-stays.ts'
import { PORTIONS_SCHEMA } from './portions-schema.ts'
import { type PortionColumns, portionColumns, selectAllPortions, selectPortions } from './portions-sql.ts'
import {
  countsNone,
  knowsDiets,
  type PortionHead,
  portionHead,
  portionsAsCsv,
  portionsAsJson,
} from './present-portions.ts'

/** A leap year. Every day has its tables even without guests, so an answer for centuries would have gigabytes. */
export const PORTION_DAYS_MAX = 366
/** With names, rooms and diets of every guest of every day. */
export const LISTED_DAYS_MAX = 31

const parameters = {
  ...rangeParameters,
  guestId: identifierParameter({
    description: 'Only this guest, as if no other were in the house.',
  }),
  includeGuests: booleanParameter({
    description: `Whether the guests of each day are listed, with their rooms, meals and diets; for at most ${LISTED_DAYS_MAX} days.`,
  }),
  includeReasons: booleanParameter({
    description:
      'Whether each listed guest has the meals that they do not eat, each with the reason, and guests are listed who eat none. Only with `includeGuests`.',
  }),
  format: enumParameter({
    description: '`json` or `csv`; without it, the `Accept` header decides, and JSON is the default.',
    values: ['json', 'csv'],
  }),
} as const

export const mealPortions = defineOperation({
  name: 'mealPortions',
  summary: 'Portions to cook',
  description: `For each local day and meal: guests who are there, guests who skip, and portions to cook; by role, program, room and diet. On the days of arrival and departure the hours decide if the center says when its meals begin and end; otherwise only the meals count that the center says (by default dinner and breakfast). Packages, programs and bookings may exclude meals, and bookings may add people without a name. Guests whom the meal-skipping report excludes are not counted. Bookings that are voided or offers are not cooked for unless the center says so; their number is reported. A session has the same days as in the meal-skipping report. At most ${PORTION_DAYS_MAX} days. Diets are custom fields: they are shown to keys that may read these fields, and other keys see which ones are withheld.`,
  paths: ['/meals/portions'],
  scope: 'meals',
  dependsOn: ['language', 'customFields', 'accepts'],
  parameters,
  response: PORTIONS_SCHEMA,
  formats: ['csv'],

  parse(context) {
    const { center, language, customFields, accepts } = context
    const { values, sent, problems } = readParameters(parameters, context.query)
    const { bounds, problems: order } = resolveBounds(values, center.timezone)
    const { sessionId, startDate, endDate, guestId, includeGuests, includeReasons, format = accepts } = values
    const { diets, withheld, requiredScopes } = dietsFor(center, customFields)
    const days =
      startDate === undefined || endDate === undefined ? undefined : { first: startDate, last: endDate }
    const daysMax = includeGuests ? LISTED_DAYS_MAX : PORTION_DAYS_MAX
    const long = days === undefined || order.length > 0 ? [] : tooLong(daysOf(days.first, days.last), daysMax)
    const alone = includeReasons && !includeGuests ? [REASONS_ALONE] : []
    const refusal = refusalOf([...problems, ...rangeRule(sent), ...order, ...long, ...alone])
    if (refusal !== undefined) return { requiredScopes, refusal }
    const filters: GuestFilters = {
      ...bounds,
      sessionIds: sessionId === undefined ? undefined : [sessionId],
      statusesExclude: center.mealReportExcludedStatuses,
      guestId,
    }
    const columns: PortionColumns = { language, diets, withNames: includeGuests }
    const word = (name: string) => labelOf(language, 'portion', name)
    const scope: StayScope = {
      sessionId,
      days,
      zone: center.timezone,
      rules: center.mealRules,
      diets,
      words: { noProgram: word('noProgram'), noRoom: word('noRoom') },
    }
    const head = portionHead(center, { diets, withheld, language, includeReasons })
    const list = includeReasons ? 'all' : includeGuests ? 'present' : 'none'
    return {
      requiredScopes,
      normalForm: JSON.stringify([sessionId, days, guestId, includeGuests, includeReasons, format]),
      // The booking of every guest of these days is read.
      cost: costOf({ bounds, sessions: sessionId === undefined ? 0 : 1, daysPerCost: 7 }),
      statement: selectPortions(center.id, filters, columns),
      revisionOf: (rows) => asRows(rows)[0]?.[0],
      following: {
        kind: 'more rows',
        after(rows) {
          const last = asRows(rows)[0]?.[4] ?? null
          return last === null ? undefined : selectPortions(center.id, filters, columns, last)
        },
        all: () => selectAllPortions(center.id, filters, columns),
      },
      dependencies: [guestsMatching(filters, portionColumns(columns))],
      present: (rows) => present(rows, { scope, head, format, list, daysMax }),
    }
  },
})

/** A row of the statements. A center that was never changed has no revision. */
export type PortionGuests = readonly [
  revision: number | null,
  guests: readonly PortionRow[],
  terms: readonly NamedTerm[],
  starts: readonly SessionStart[],
  last: GuestPosition | null,
]

/** Each statement returns one row. */
const asRows = (rows: Rows) => rows as readonly unknown[] as readonly PortionGuests[]

interface Presented {
  readonly scope: StayScope
  readonly head: PortionHead
  readonly format: Format
  readonly list: CountOptions['list']
  readonly daysMax: number
}

function* present(rows: Rows, asked: Presented): Sliced<Answer> {
  const { scope, head, format, list, daysMax } = asked
  const read = asRows(rows)
  const shared = sharedOf(
    read.flatMap(([, , terms]) => terms),
    startDaysOf(
      read.flatMap(([, , , starts]) => starts),
      scope.zone,
    ),
  )
  const stays: Stay[] = []
  yield* eachInSlices(
    read.flatMap(([, guests]) => guests),
    (row) => {
      const stay = stayOf(row, scope, shared)
      if (stay !== undefined) stays.push(stay)
    },
  )
  const { first, last } = rangeOf(stays, scope)
  const problems = tooLong(last - first + 1, daysMax)
  if (problems.length > 0) throw errors.invalidParameters(problems)
  const days = yield* countPortions(stays, {
    first,
    last,
    rules: scope.rules,
    knowsDiets: knowsDiets(head),
    countsNone: countsNone(head),
    list,
  })
  const body = yield* format === 'csv' ? portionsAsCsv(days, head) : portionsAsJson(days, head)
  // Sums identify nobody, unless a diet belongs to a single guest.
  const isPersonal = list !== 'none' || scope.diets.length > 0
  return {
    body,
    ...(format === 'csv' ? { type: MEDIA_TYPES.csv } : {}),
    revision: read[0]?.[0] ?? 0,
    records: { count: stays.length, ids: isPersonal ? stays.map(({ id }) => id) : [] },
  }
}

/** The requested days; of a session without dates, those of its guests. */
function rangeOf(stays: readonly Stay[], { days }: StayScope): { first: number; last: number } {
  if (days !== undefined) return { first: daysOfLocalDate(days.first), last: daysOfLocalDate(days.last) }
  const [one] = stays
  if (one === undefined) return { first: 0, last: -1 }
  return stays.reduce(
    (range, { first, last }) => ({ first: Math.min(range.first, first), last: Math.max(range.last, last) }),
    { first: one.first, last: one.last },
  )
}

const daysOf = (first: string, last: string) => daysOfLocalDate(last) - daysOfLocalDate(first) + 1

const REASONS_ALONE: Problem = {
  parameter: 'includeReasons',
  message: 'includeReasons=true lists reasons of guests. Give includeGuests=true, too.',
}

function tooLong(days: number, max: number): Problem[] {
  if (days <= max) return []
  const guests = max === LISTED_DAYS_MAX ? ' with includeGuests' : ''
  return [
    {
      parameter: 'endDate',
      message: `The range has ${days} days; one request takes at most ${max}${guests}. Request it in parts, with startDate and endDate.`,
    },
  ]
}

const asAllergy = (value: string) => ({ value, otherSpellings: [], isAllergy: true, isNone: false })

/** The center's diets that are custom fields which the key may read. */
export function dietsFor(center: Center, readable: CustomFields) {
  const diets: ShownDiet[] = []
  const all: ShownDiet[] = []
  const withheld: string[] = []
  const requiredScopes: RequiredScope[] = []
  for (const { field, allergies, values } of center.mealRules.dietFields) {
    const meta = center.metaFields.get(field)
    if (meta === undefined || (meta.type !== 'string' && meta.type !== 'boolean')) continue
    const allergic = [
      ...allergies,
      ...(values ?? []).filter(({ isAllergy }) => isAllergy).map(({ value }) => value),
    ]
    const diet: ShownDiet = {
      field,
      owner: meta.owner,
      type: meta.type,
      label: meta.label ?? field,
      allergies: allergic,
      known: values === undefined ? undefined : knownDiets([...values, ...allergic.map(asAllergy)]),
    }
    all.push(diet)
    if (readable !== 'all' && !readable.includes(field)) {
      withheld.push(field)
      continue
    }
    requiredScopes.push({ scope: 'guests.personal', what: `meta.${field}`, customField: field })
    diets.push(diet)
  }
  return { diets, all, withheld, requiredScopes }
}
