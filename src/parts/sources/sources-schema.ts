/** The JSON Schema of GET /sources. */
import { SOURCE_KINDS } from '../../core/records/sources/delivery.ts'
import { CAUSES } from '../../core/records/sources/evaluate-source.ts'
import { object } from '../../core/request/object-schema.ts'

const STRING = { type: 'string' }
const TEXT_OR_NULL = { type: ['string', 'null'] }
const MOMENT = { type: 'string', format: 'date-time' }
const MOMENT_OR_NULL = { type: ['string', 'null'], format: 'date-time' }
const COUNT = { type: 'integer', minimum: 0 }
const COUNT_OR_NULL = { type: ['integer', 'null'], minimum: 0 }
const KIND = { type: 'string', enum: [...SOURCE_KINDS] }
const list = (description: string, items: unknown) => ({ type: 'array', description, items })

const PROBLEM = object({
  cause: { ...STRING, enum: [...CAUSES], description: 'what is wrong; docs/sources.md explains each' },
  since: MOMENT,
  kind: { type: ['string', 'null'], enum: [...SOURCE_KINDS, null], description: 'for `fewer`: the kind' },
  records: { ...COUNT_OR_NULL, description: 'for `fewer`: the records of the delivery' },
  usual: { ...COUNT_OR_NULL, description: 'for `fewer`: the usual number of records' },
})

export const DELIVERY = object({
  import: { ...STRING, description: 'its identifier in the log of imports' },
  at: MOMENT,
  way: { ...STRING, enum: ['command', 'watch', 'intake'], description: 'how it came' },
  outcome: {
    ...STRING,
    enum: ['done', 'refused', 'failed'],
    description:
      '`done`: imported; `refused`: it had invalid records, and nothing was imported; `failed`: it could not be read or written',
  },
  lines: { ...COUNT, description: 'records or rows of all centers' },
  counts: list(
    'what its records of this center did, by kind',
    object({
      kind: KIND,
      created: COUNT,
      changed: COUNT,
      unchanged: COUNT,
      removed: COUNT,
      older: { ...COUNT, description: 'left out because a newer version was stored' },
    }),
  ),
  rejected: { ...COUNT, description: 'lines that were rejected' },
  causes: list(
    'why, at most 20; no value of a record is shown',
    object({
      count: { ...COUNT, description: 'lines' },
      kind: { ...TEXT_OR_NULL, description: 'kind of the import, such as `booking`' },
      field: TEXT_OR_NULL,
      message: STRING,
    }),
  ),
  fileTime: {
    ...MOMENT_OR_NULL,
    description: 'when the file was last written to; `null` if it was not a file',
  },
  files: list('its files', object({ sha256: STRING, bytes: COUNT })),
})

export const SOURCE = object({
  name: { ...STRING, examples: ['watch'] },
  kinds: list(
    'what it delivers, and when a delivery last came that counts',
    object({
      kind: KIND,
      receivedAt: { ...MOMENT_OR_NULL, description: '`null`: never' },
      expected: { type: 'boolean', description: 'whether the schedule is about this kind' },
    }),
  ),
  schedule: {
    ...TEXT_OR_NULL,
    description: 'when a delivery is expected; `null` if that was not set',
    examples: ['every night by 04:00'],
  },
  everySeconds: { ...COUNT_OR_NULL, description: 'usual time between two deliveries' },
  late: { type: 'boolean', description: 'whether a delivery is missing' },
  dueAt: { ...MOMENT_OR_NULL, description: 'when it becomes late if nothing arrives, or became late' },
  problems: list('in the order of their beginning', PROBLEM),
  deliveries: list('the newest ten, newest first', DELIVERY),
})

export const SOURCES_SCHEMA = object({ data: list('in the order of their names', SOURCE) })
