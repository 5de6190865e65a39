/** `POST /actions/add-report`: a kitchen sheet or a list that is sent by itself. */

import { administer, ownKeys, requireKeyGrantable } from '../../../core/acts/administer.ts'
import { idField, languageOrNullField, nameField } from '../../../core/acts/fields.ts'
import { defineAction } from '../../../core/request/action.ts'
import {
  type BodyField,
  choiceField,
  textField,
  textOrNullField,
  textsField,
} from '../../../core/request/action-body.ts'
import { moment, object, text } from '../../../core/request/object-schema.ts'
import { FORMATS } from '../documents/document.ts'
import { addReport } from '../manage-reports.ts'
import { REPORT_KINDS } from '../report.ts'
import { type ReportSchedule, scheduleProblem } from '../schedule.ts'

/** The body of an action has 4 kB. */
const QUERY_MAX = 2000
const DAYS_MAX = 100
const TIMES = { count: 4, length: 5 }
const DESTINATIONS = { count: 10, length: 320 }

/** Adds the check of a schedule that has this value. */
const scheduled = <T>(field: BodyField<T>, within: (value: T) => ReportSchedule): BodyField<T> => ({
  ...field,
  read(value) {
    const reading = field.read(value)
    if ('problem' in reading) return reading
    const problem = scheduleProblem(within(reading.value))
    return problem === undefined ? reading : { problem }
  },
})

export const addReportAction = defineAction({
  name: 'add-report',
  summary: 'Add a report',
  description:
    'Adds a kitchen sheet or a list that is sent by itself, at local times of the center. It has the rights of an application, and your key must be able to grant everything that this may read. The kinds, times and destinations are explained in the documentation of reports.',
  scope: 'administration',
  body: {
    key: idField('`appId` of the application whose rights it has.'),
    name: nameField('What it is called, also in the names of its files.'),
    kind: choiceField('What it has.', REPORT_KINDS),
    format: choiceField('Its format.', FORMATS),
    times: scheduled(textsField('Local times such as `06:00`, at most four.', TIMES), (times) => ({
      times,
      days: 'daily',
    })),
    days: scheduled(
      textField('`daily`, days of the week (`mon-fri`) or of the month (`1,15`, `last`).', DAYS_MAX),
      (days) => ({ times: ['00:00'], days: days.toLowerCase() }),
    ),
    destinations: textsField(
      'Where it is sent: `mail:ADDRESS`, `folder:NAME`, `printer:NAME` or `webhook:ID`.',
      DESTINATIONS,
    ),
    language: languageOrNullField('Its language; null for that of the center.'),
    query: textOrNullField(
      'Of the kind `query`: path and query of a request, whose days may be relative; otherwise null.',
      QUERY_MAX,
    ),
  },
  response: object({
    report: text('its id'),
    nextAt: moment('when it is sent first'),
  }),
  example: {
    body: {
      key: 'sjn_app_h2pMSS0L1KpjLDc4',
      name: 'Kitchen',
      kind: 'day',
      format: 'pdf',
      times: ['06:00', '17:00'],
      days: 'daily',
      destinations: ['mail:kitchen@example.org'],
      language: null,
      query: null,
    },
    answer: { report: 'sjn_report_7Yc1nGq0TtVbWz3k', nextAt: '2026-03-03T04:00:00.000Z' },
  },

  async perform({ body, ...context }) {
    const { settings } = context
    const { key, name, kind, format, times, days, destinations, language, query } = body
    await requireKeyGrantable(context, await ownKeys(context, key))
    const { result, facts } = await administer(context, 'kind', ({ database, now, center }) =>
      addReport(
        database,
        {
          key,
          center,
          name,
          kind,
          format,
          times,
          days,
          to: destinations,
          language: language ?? undefined,
          question: query ?? undefined,
        },
        { operations: settings.operations, random: settings.random, now, printers: settings.printers },
      ),
    )
    return { answer: { report: result.id, nextAt: result.nextAt }, facts }
  },
})
