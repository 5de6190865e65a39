/** `POST /actions/remove-report`: a report that is sent no more. */

import { administer } from '../../../core/acts/administer.ts'
import { idField } from '../../../core/acts/fields.ts'
import { defineAction } from '../../../core/request/action.ts'
import { flag, object, text } from '../../../core/request/object-schema.ts'
import { removeReport } from '../manage-reports.ts'
import { hasReport } from './find-report.ts'

export const removeReportAction = defineAction({
  name: 'remove-report',
  summary: 'Remove a report',
  description:
    'Removes a report and the list of what became of it. If your center has none with this identifier, nothing is changed and `removed` is false.',
  scope: 'administration',
  space: 'reserve',
  body: { report: idField('`id` of the report.') },
  response: object({ report: text(), removed: flag() }),
  example: {
    body: { report: 'sjn_report_7Yc1nGq0TtVbWz3k' },
    answer: { report: 'sjn_report_7Yc1nGq0TtVbWz3k', removed: true },
  },

  async perform({ body: { report: id }, ...context }) {
    if (!(await hasReport(context, id)))
      return { answer: { report: id, removed: false }, facts: { report: 'none' } }
    const { facts } = await administer(context, 'report', ({ database, center }) =>
      removeReport(database, id, center),
    )
    return { answer: { report: id, removed: true }, facts }
  },
})
