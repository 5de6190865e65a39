/** Links in the answers of the administration. */
import * as Schema from '../../../core/request/object-schema.ts'

const LINK = Schema.object({
  id: Schema.text('never its URL'),
  appId: Schema.text('the application that it belongs to'),
  name: Schema.text('who uses it'),
  query: {
    ...Schema.text(),
    description: 'path and query that it answers; what names a person is hidden',
    examples: ['/meals/portions?startDate=today&endDate=today%2B6'],
  },
  language: Schema.textOrNull('of its answers; null for that of the center'),
  allowSensitive: Schema.flag('whether it may show personal and medical data'),
  allowedAddresses: Schema.listOf(
    Schema.text(),
    'addresses and ranges it may be used from; empty for any address',
  ),
  status: Schema.oneOf(
    ['active', 'expired', 'revoked', 'stopped'],
    '`stopped`: its application has no active key',
  ),
  createdAt: Schema.moment(),
  expiresAt: Schema.moment(),
  revokedAt: Schema.momentOrNull(),
  requests: Schema.count('in the last 30 days, as far as they are counted already'),
  lastUsedOn: {
    type: ['string', 'null'],
    format: 'date',
    description: 'the last day, in UTC, on which it was used; null: never',
  },
})

export const LINKS_SCHEMA = Schema.object({
  data: Schema.listOf(LINK),
  total: Schema.count('number of links on all pages'),
})
