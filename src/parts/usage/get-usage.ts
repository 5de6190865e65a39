/** `GET /usage`: the requests and errors of the key's application. */
import type { Problem } from '../../core/errors/api-error.ts'
import { addDays, daysBetween } from '../../core/locale/dates.ts'
import { resolveBounds } from '../../core/request/bounds.ts'
import type { AnswerOf } from '../../core/request/object-schema.ts'
import { defineOperation } from '../../core/request/operation.ts'
import { dateParameter } from '../../core/request/parameter-kinds.ts'
import { readParameters, refusalOf } from '../../core/request/parameters.ts'
import { presentUsage } from './present-usage.ts'
import { USAGE_SCHEMA } from './usage-schema.ts'
import { type DayRow, type ErrorDayRow, selectUsage, type UsagePeriod } from './usage-sql.ts'

const parameters = {
  startDate: dateParameter({ description: 'First day; without it, 29 days before `endDate`.' }),
  endDate: dateParameter({ description: 'Last day; without it, today.' }),
} as const

const DEFAULT_DAYS = 30
const DAYS_MAX = 366

interface GivenDays {
  readonly startDate: string | undefined
  readonly endDate: string | undefined
}

/** The requested days, both included, or the problem. */
export function usagePeriod(
  given: GivenDays,
  today: string,
  zone: string,
): { readonly period: UsagePeriod; readonly problems: readonly Problem[] } {
  const endDate = given.endDate ?? today
  const startDate = given.startDate ?? daysBefore(endDate, DEFAULT_DAYS - 1)
  const { bounds, problems } = resolveBounds({ startDate, endDate }, zone)
  const { lower = '', upper = '' } = bounds
  const period = { startDate, endDate, lower, upper }
  if (problems.length > 0 || daysBetween(startDate, endDate) < DAYS_MAX) return { period, problems }
  const message = `From ${startDate} to ${endDate} are more than ${DAYS_MAX} days. Ask for ${DAYS_MAX} days or fewer.`
  return { period, problems: ['startDate', 'endDate'].map((parameter) => ({ parameter, message })) }
}

/** The first day is 0001-01-01. */
const daysBefore = (day: string, count: number) => (day < '0002' ? day : addDays(day, -count))

export const getUsage = defineOperation({
  name: 'getUsage',
  summary: 'Your usage',
  description:
    'What the application of the key requested, by the center’s local day and by endpoint, and its newest 100 errors. All keys of the application are counted, including expired and revoked ones. An error that repeats within an hour is one entry. No request data is stored: no query, and no value that a message quoted. The numbers are delayed by up to ten seconds.',
  paths: ['/usage'],
  scope: 'any',
  dependsOn: ['key', 'today'],
  parameters,
  response: USAGE_SCHEMA,

  parse(context) {
    const { values, problems: ofParameters } = readParameters(parameters, context.query)
    const { period, problems } = usagePeriod(values, context.today, context.center.timezone)
    const refusal = refusalOf([...ofParameters, ...problems])
    if (refusal !== undefined) return { requiredScopes: [], refusal }
    return {
      requiredScopes: [],
      normalForm: JSON.stringify([period.startDate, period.endDate]),
      statement: selectUsage(context.center.id, context.key.appId, period),
      dependencies: undefined,
      // Requests are not commits of the center.
      cacheMs: 0,

      present(rows) {
        // The statement returns one row.
        const [days, errors] = rows[0] as readonly [DayRow[], ErrorDayRow[]]
        return {
          body: JSON.stringify(presentUsage(period, days, errors) satisfies AnswerOf<typeof USAGE_SCHEMA>),
          revision: undefined,
          records: { count: 0, ids: [] },
        }
      },
    }
  },
})
