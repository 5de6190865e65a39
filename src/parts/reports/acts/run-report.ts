/** `POST /actions/run-report`: a report is sent once more, now. */

import { administer } from '../../../core/acts/administer.ts'
import { idField } from '../../../core/acts/fields.ts'
import { errors } from '../../../core/errors/api-error.ts'
import { defineAction } from '../../../core/request/action.ts'
import { object, text } from '../../../core/request/object-schema.ts'
import { runReportNow } from '../manage-reports.ts'
import { lockReports, selectRunsOfHour } from '../reports-sql.ts'
import { hasReport } from './find-report.ts'

/** All reports of a center three times, such as after a printer was off. Each run makes a document and may print it. */
export const RUNS_AN_HOUR_MAX = 60

export const runReportAction = defineAction({
  name: 'run-report',
  summary: 'Send a report now',
  description: `Sends a report once more, within a minute. \`GET /administration/reports\` shows what became of it. A center has at most ${RUNS_AN_HOUR_MAX} runs within an hour, with those of the schedule: more are answered with 429.`,
  scope: 'administration',
  body: { report: idField('`id` of the report.') },
  response: object({ report: text() }),
  example: {
    body: { report: 'sjn_report_7Yc1nGq0TtVbWz3k' },
    answer: { report: 'sjn_report_7Yc1nGq0TtVbWz3k' },
  },

  async perform({ body: { report: id }, ...context }) {
    if (!(await hasReport(context, id))) {
      throw errors.notFound('Your center has no such report. GET /administration/reports lists its reports.')
    }
    await context.query(lockReports(context.center.id))
    const [had] = await context.query<{ runs: number; seconds: number }>(selectRunsOfHour(context.center.id))
    if (had !== undefined && had.runs >= RUNS_AN_HOUR_MAX) {
      throw errors.rateLimited(
        `Your center had ${had.runs} runs of reports within an hour, and may have ${RUNS_AN_HOUR_MAX}. Retry in ${had.seconds} s.`,
        Math.max(1, had.seconds),
      )
    }
    const { facts } = await administer(context, 'report', ({ database, center }) =>
      runReportNow(database, id, center),
    )
    return { answer: { report: id }, facts }
  },
})
