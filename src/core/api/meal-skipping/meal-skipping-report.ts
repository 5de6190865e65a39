/** `GET /guests/meal-skipping-report`: the meals that guests skip, for kitchen planning. */

import { costOf, resolveBounds } from '../../request/bounds.ts'
import { MEDIA_TYPES } from '../../request/format.ts'
import { type Answer, defineOperation, type Rows } from '../../request/operation.ts'
import { enumParameter } from '../../request/parameter-kinds.ts'
import { readParameters, refusalOf } from '../../request/parameters.ts'
import type { Sliced } from '../../request/slices.ts'
import { type GuestFilters, type GuestPosition, guestsMatching } from '../guests/guests-sql.ts'
import type { ReportScope, SkippingRow } from './count-skips.ts'
import { rangeParameters, rangeRule } from './meal-range.ts'
import { REPORT_COLUMNS, selectAllSkippingGuests, selectSkippingGuests } from './meals-sql.ts'
import { presentReport, type ReportForm } from './present-report.ts'
import { REPORT_SCHEMA } from './report-schema.ts'
import { type SessionStart, startDaysOf } from './session-days.ts'

const parameters = {
  ...rangeParameters,
  format: enumParameter({
    description:
      '`json`, or `csv` with a row for each meal that a guest skips; without it, the `Accept` header decides, and JSON is the default.',
    values: ['json', 'csv'],
  }),
} as const

export const mealSkippingReport = defineOperation({
  name: 'mealSkippingReport',
  summary: 'Meal-skipping report',
  description:
    'Counts the meals that guests skip, by date and by guest. Guests with a status that the center excludes (by default `cancelled`, `waitingList` and `review`) and skips outside the guest’s own stay are not counted. Each day of a stay belongs to exactly one of the booking’s sessions: the last one that has begun by that day, or the first if none has. The reports of all sessions therefore add up to the whole. Days are the center’s local days.',
  paths: ['/guests/meal-skipping-report', '/guests/meal-skipping'],
  scope: 'meals',
  dependsOn: ['accepts'],
  parameters,
  response: REPORT_SCHEMA,
  formats: ['csv'],

  parse(context) {
    const { values, sent, problems } = readParameters(parameters, context.query)
    const { bounds, problems: order } = resolveBounds(values, context.center.timezone)
    const refusal = refusalOf([...problems, ...rangeRule(sent), ...order])
    if (refusal !== undefined) return { requiredScopes: [], refusal }
    const { sessionId, startDate, endDate, format = context.accepts } = values
    const form = format === 'csv' ? 'csv' : 'json'
    const days =
      startDate === undefined || endDate === undefined ? undefined : { first: startDate, last: endDate }
    const filters: GuestFilters = {
      ...bounds,
      sessionIds: sessionId === undefined ? undefined : [sessionId],
      statusesExclude: context.center.mealReportExcludedStatuses,
    }
    return {
      requiredScopes: [],
      normalForm: JSON.stringify([sessionId, days, ...(form === 'csv' ? [form] : [])]),
      // All guests of the days are read, and each of their skipped meals is shown.
      cost: costOf({ bounds, sessions: sessionId === undefined ? 0 : 1, daysPerCost: 7 }),
      statement: selectSkippingGuests(context.center.id, filters),
      revisionOf: (rows) => asRows(rows)[0]?.[1],
      following: {
        kind: 'more rows',
        after(rows) {
          const last = asRows(rows)[0]?.[4] ?? null
          return last === null ? undefined : selectSkippingGuests(context.center.id, filters, last)
        },
        all: () => selectAllSkippingGuests(context.center.id, filters),
      },

      dependencies: [guestsMatching(filters, REPORT_COLUMNS)],

      present: (rows) => present(rows, { sessionId, days, zone: context.center.timezone }, form),
    }
  },
})

/** A row of the statements. A center that was never changed has no revision. */
type SkippingGuests = readonly [
  total: number,
  revision: number | null,
  guests: readonly SkippingRow[],
  starts: readonly SessionStart[],
  last: GuestPosition | null,
]

/** Each statement returns one row. */
const asRows = (rows: Rows) => rows as readonly unknown[] as readonly SkippingGuests[]

function* present(rows: Rows, asked: Omit<ReportScope, 'startDays'>, form: ReportForm): Sliced<Answer> {
  const read = asRows(rows)
  const [first] = read
  const guests = read.flatMap(([, , guests]) => guests)
  const total = read.reduce((sum, [guests]) => sum + guests, 0)
  const starts = read.flatMap(([, , , starts]) => starts)
  const scope = { ...asked, startDays: startDaysOf(starts, asked.zone) }
  const { pieces, ids } = yield* presentReport(total, guests, scope, form)
  return {
    body: pieces,
    ...(form === 'csv' ? { type: MEDIA_TYPES.csv } : {}),
    revision: first?.[1] ?? 0,
    records: { count: ids.length, ids },
  }
}
