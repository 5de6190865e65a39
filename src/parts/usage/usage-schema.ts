/** The JSON Schema of GET /usage. */
import { object } from '../../core/request/object-schema.ts'

const STRING = { type: 'string' }
const DAY = { type: 'string', format: 'date' }
const MOMENT = { type: 'string', format: 'date-time' }
const count = (description: string) => ({ type: 'integer', minimum: 0, description })
const list = (description: string, items: unknown) => ({ type: 'array', description, items })

const DAY_OF_ENDPOINT = object({
  date: { ...DAY, description: 'local day of the center' },
  endpoint: {
    ...STRING,
    description: 'documented path; `other` for any other method or path',
    examples: ['/guests'],
  },
  requests: count('all requests'),
  unchanged: count('of these, answered with 304'),
  refusals: count('of these, answered with 401, 403 or 429'),
  errors: count('of these, answered with any other status from 400 on'),
  bytes: count('bytes of the bodies as they were sent, compressed or not'),
})

const ERROR = object({
  firstAt: { ...MOMENT, description: 'the first time within the hour' },
  lastAt: { ...MOMENT, description: 'the last time within the hour' },
  times: { type: 'integer', minimum: 1, description: 'how often within the hour' },
  endpoint: STRING,
  status: { type: 'integer', minimum: 400 },
  code: { ...STRING, description: 'the code of the error’s body' },
  message: {
    ...STRING,
    description: 'the message of the error’s body; `"…"` replaces each value that it quoted',
  },
  details: list('the first five', object({ parameter: STRING, message: STRING })),
  requestId: { ...STRING, description: 'of the last request' },
  publicKey: { ...STRING, description: 'the key of the application that was used' },
})

export const USAGE_SCHEMA = object({
  startDate: DAY,
  endDate: DAY,
  days: list('newest first; only days and endpoints with requests', DAY_OF_ENDPOINT),
  errors: list('the newest 100, newest first', ERROR),
})
