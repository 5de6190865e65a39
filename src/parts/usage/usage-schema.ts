/** The JSON Schema of GET /usage. */
import { atLeastOne, day, list, moment, object, text } from '../../core/request/object-schema.ts'

const count = (description: string) => ({ type: 'integer', minimum: 0, description })

const DAY_OF_ENDPOINT = object({
  date: day('local day of the center'),
  endpoint: {
    ...text(),
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
  firstAt: moment('the first time within the hour'),
  lastAt: moment('the last time within the hour'),
  times: atLeastOne('how often within the hour'),
  endpoint: text(),
  status: { type: 'integer', minimum: 400 },
  code: text('the code of the error’s body'),
  message: text('the message of the error’s body; `"…"` replaces each value that it quoted'),
  details: list('the first five', object({ parameter: text(), message: text() })),
  requestId: text('of the last request'),
  publicKey: text('the key of the application that was used'),
})

export const USAGE_SCHEMA = object({
  startDate: day(),
  endDate: day(),
  days: list('newest first; only days and endpoints with requests', DAY_OF_ENDPOINT),
  errors: list('the newest 100, newest first', ERROR),
})
