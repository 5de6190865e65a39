/** Links in the answers of the administration. */
import { object } from '../../../core/request/object-schema.ts'

const STRING = { type: 'string' }
const TEXT_OR_NULL = { type: ['string', 'null'] }
const MOMENT = { type: 'string', format: 'date-time' }
const MOMENT_OR_NULL = { type: ['string', 'null'], format: 'date-time' }
const COUNT = { type: 'integer', minimum: 0 }

const LINK = object({
  id: { ...STRING, description: 'never its URL' },
  appId: { ...STRING, description: 'the application that it belongs to' },
  name: { ...STRING, description: 'who uses it' },
  query: {
    ...STRING,
    description: 'path and query that it answers; what names a person is hidden',
    examples: ['/meals/portions?startDate=today&endDate=today%2B6'],
  },
  language: { ...TEXT_OR_NULL, description: 'of its answers; null for that of the center' },
  allowSensitive: { type: 'boolean', description: 'whether it may show personal and medical data' },
  allowedAddresses: {
    type: 'array',
    items: STRING,
    description: 'addresses and ranges it may be used from; empty for any address',
  },
  status: {
    ...STRING,
    enum: ['active', 'expired', 'revoked', 'stopped'],
    description: '`stopped`: its application has no active key',
  },
  createdAt: MOMENT,
  expiresAt: MOMENT,
  revokedAt: MOMENT_OR_NULL,
  requests: { ...COUNT, description: 'in the last 30 days, as far as they are counted already' },
  lastUsedOn: {
    type: ['string', 'null'],
    format: 'date',
    description: 'the last day, in UTC, on which it was used; null: never',
  },
})

export const LINKS_SCHEMA = object({
  data: { type: 'array', items: LINK },
  total: { ...COUNT, description: 'number of links on all pages' },
})
