/** Reports in the answers of the administration. */
import { object } from '../../../core/request/object-schema.ts'
import { FORMATS } from '../documents/document.ts'
import { REPORT_KINDS } from '../report.ts'

const STRING = { type: 'string' }
const TEXT_OR_NULL = { type: ['string', 'null'] }
const MOMENT = { type: 'string', format: 'date-time' }
const TEXTS = { type: 'array', items: STRING }

const RUN = object({
  scheduledAt: MOMENT,
  state: {
    ...STRING,
    enum: ['due', 'sent', 'missed', 'refused'],
    description:
      '`due`: not all of its destinations have it yet; `missed`: they did not get it; `refused`: its key may not read it',
  },
  isCopy: { type: 'boolean', description: 'whether it was the copy that is sent while the database is away' },
  problem: TEXT_OR_NULL,
  destinations: {
    type: 'array',
    items: object({
      destination: STRING,
      state: { ...STRING, enum: ['waiting', 'sent', 'failed'] },
      problem: TEXT_OR_NULL,
    }),
  },
})

const REPORT = object({
  id: STRING,
  appId: { ...STRING, description: 'the application whose rights it has' },
  name: { ...STRING, description: 'what it is called' },
  kind: { ...STRING, enum: REPORT_KINDS },
  query: {
    ...TEXT_OR_NULL,
    description: 'of the kind `query`: what it asks; what names a person is hidden',
  },
  format: { ...STRING, enum: FORMATS },
  language: { ...TEXT_OR_NULL, description: 'null for that of the center' },
  times: { ...TEXTS, description: 'local times of the center' },
  days: { ...STRING, description: '`daily`, days of the week or of the month' },
  destinations: { ...TEXTS, description: '`mail:…`, `folder:…`, `printer:…` or `webhook:…`' },
  nextAt: MOMENT,
  hasKey: {
    type: 'boolean',
    description: 'whether its application has an active key; without one, it is not sent',
  },
  runs: { type: 'array', description: 'the last three, newest first', items: RUN },
})

export const REPORTS_SCHEMA = object({
  data: { type: 'array', description: 'in the order of their creation', items: REPORT },
})
