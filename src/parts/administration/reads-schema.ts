/** The JSON Schema of `GET /administration/reads`. */
import { object } from '../../core/request/object-schema.ts'

const STRING = { type: 'string' }

const ENTRY = object({
  at: { ...STRING, format: 'date-time' },
  reads: { type: 'integer', minimum: 1, description: 'how many reads of the same data it counts for' },
  key: {
    ...object({
      name: { ...STRING, description: 'as it was at that time' },
      appId: { ...STRING, description: 'the application, or the `id` of a link' },
      publicKey: STRING,
    }),
    type: ['object', 'null'],
    description: 'null for a command',
  },
  command: {
    ...object({ user: STRING, machine: STRING }),
    type: ['object', 'null'],
    description: 'who ran a command, as that process stated it; null for a key',
  },
  operation: {
    ...STRING,
    description: 'the operationId of what was read or done, or the name of a command',
    examples: ['listGuests'],
  },
  channel: {
    type: ['string', 'null'],
    description: '`assistant` for an AI assistant, `link` for a link, null for a program or the console',
  },
  scopes: { type: 'array', items: STRING, description: 'the scopes that it needed' },
  records: { type: 'integer', minimum: 0, description: 'number of records' },
  named: {
    type: 'boolean',
    description:
      'whether the trail has the identifiers of the records. If not, they were too many, and a search for a guest may not find this read',
  },
  parameters: {
    type: 'array',
    description: 'of the request, without what names a person; or the facts of an action or a command',
    items: object({ name: STRING, value: STRING }),
  },
  requestId: { ...STRING, description: 'of the first read; `-` for a command' },
  entry: { type: 'integer', minimum: 1, description: 'number of the entry in the chain of the center' },
})

export const READS_SCHEMA = object({
  data: { type: 'array', items: ENTRY },
  next: { type: ['string', 'null'], description: '`after` of the next page; null on the last one' },
})
