/** `POST /actions/run-report`: a report is sent once more, now. */
import { errors } from '../../errors/api-error.ts'
import { defineAction } from '../../request/action.ts'
import { object } from '../../request/object-schema.ts'
import { runReportNow } from '../reports/manage-reports.ts'
import { administer } from './administer.ts'
import { idField } from './fields.ts'
import { hasReport } from './own-report.ts'

export const runReportAction = defineAction({
  name: 'run-report',
  summary: 'Send a report now',
  description:
    'Sends a report once more, within a minute. `GET /administration/reports` shows what became of it.',
  scope: 'administration',
  body: { report: idField('`id` of the report.') },
  response: object({ report: { type: 'string' } }),
  example: {
    body: { report: 'sjn_report_7Yc1nGq0TtVbWz3k' },
    answer: { report: 'sjn_report_7Yc1nGq0TtVbWz3k' },
  },

  async perform({ body: { report: id }, ...context }) {
    if (!(await hasReport(context, id))) {
      throw errors.notFound('Your center has no such report. GET /administration/reports lists its reports.')
    }
    const { facts } = await administer(context, 'report', ({ database, center }) =>
      runReportNow(database, id, center),
    )
    return { answer: { report: id }, facts }
  },
})
