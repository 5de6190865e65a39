/** Reports in the answers of the administration. */
import * as Schema from '../../../core/request/object-schema.ts'
import { FORMATS } from '../documents/document.ts'
import { REPORT_KINDS } from '../report.ts'

const TEXTS = Schema.listOf(Schema.text())

const RUN = Schema.object({
  scheduledAt: Schema.moment(),
  state: Schema.oneOf(
    ['due', 'sent', 'missed', 'refused'],
    '`due`: not all of its destinations have it yet; `missed`: they did not get it; `refused`: its key may not read it',
  ),
  isCopy: Schema.flag('whether it was the copy that is sent while the database is away'),
  problem: Schema.textOrNull(),
  destinations: Schema.listOf(
    Schema.object({
      destination: Schema.text(),
      state: Schema.oneOf(['waiting', 'sent', 'failed']),
      problem: Schema.textOrNull(),
    }),
  ),
})

const REPORT = Schema.object({
  id: Schema.text(),
  appId: Schema.text('the application whose rights it has'),
  name: Schema.text('what it is called'),
  kind: Schema.oneOf(REPORT_KINDS),
  query: Schema.textOrNull('of the kind `query`: what it asks; what names a person is hidden'),
  format: Schema.oneOf(FORMATS),
  language: Schema.textOrNull('null for that of the center'),
  times: { ...TEXTS, description: 'local times of the center' },
  days: Schema.text('`daily`, days of the week or of the month'),
  destinations: { ...TEXTS, description: '`mail:…`, `folder:…`, `printer:…` or `webhook:…`' },
  nextAt: Schema.moment(),
  hasKey: Schema.flag('whether its application has an active key; without one, it is not sent'),
  runs: Schema.list('the last three, newest first', RUN),
})

export const REPORTS_SCHEMA = Schema.object({
  data: Schema.list('in the order of their creation', REPORT),
})
