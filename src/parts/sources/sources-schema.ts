/** The JSON Schema of GET /sources. */
import { SOURCE_KINDS } from '../../core/records/sources/delivery.ts'
import { CAUSES } from '../../core/records/sources/evaluate-source.ts'
import * as Schema from '../../core/request/object-schema.ts'

const KIND = Schema.oneOf([...SOURCE_KINDS])

const PROBLEM = Schema.object({
  cause: Schema.oneOf([...CAUSES], 'what is wrong; docs/sources.md explains each'),
  since: Schema.moment(),
  kind: { type: ['string', 'null'], enum: [...SOURCE_KINDS, null], description: 'for `fewer`: the kind' },
  records: Schema.countOrNull('for `fewer`: the records of the delivery'),
  usual: Schema.countOrNull('for `fewer`: the usual number of records'),
})

export const DELIVERY = Schema.object({
  import: Schema.text('its identifier in the log of imports'),
  at: Schema.moment(),
  way: Schema.oneOf(['command', 'watch', 'intake'], 'how it came'),
  outcome: Schema.oneOf(
    ['done', 'refused', 'failed'],
    '`done`: imported; `refused`: it had invalid records, and nothing was imported; `failed`: it could not be read or written',
  ),
  lines: Schema.count('records or rows of all centers'),
  counts: Schema.list(
    'what its records of this center did, by kind',
    Schema.object({
      kind: KIND,
      created: Schema.count(),
      changed: Schema.count(),
      unchanged: Schema.count(),
      removed: Schema.count(),
      older: Schema.count('left out because a newer version was stored'),
    }),
  ),
  rejected: Schema.count('lines that were rejected'),
  causes: Schema.list(
    'why, at most 20; no value of a record is shown',
    Schema.object({
      count: Schema.count('lines'),
      kind: Schema.textOrNull('kind of the import, such as `booking`'),
      field: Schema.textOrNull(),
      message: Schema.text(),
    }),
  ),
  fileTime: Schema.momentOrNull('when the file was last written to; `null` if it was not a file'),
  files: Schema.list('its files', Schema.object({ sha256: Schema.text(), bytes: Schema.count() })),
})

export const SOURCE = Schema.object({
  name: { ...Schema.text(), examples: ['watch'] },
  kinds: Schema.list(
    'what it delivers, and when a delivery last came that counts',
    Schema.object({
      kind: KIND,
      receivedAt: Schema.momentOrNull('`null`: never'),
      expected: Schema.flag('whether the schedule is about this kind'),
    }),
  ),
  schedule: {
    ...Schema.textOrNull(),
    description: 'when a delivery is expected; `null` if that was not set',
    examples: ['every night by 04:00'],
  },
  everySeconds: Schema.countOrNull('usual time between two deliveries'),
  late: Schema.flag('whether a delivery is missing'),
  dueAt: Schema.momentOrNull('when it becomes late if nothing arrives, or became late'),
  problems: Schema.list('in the order of their beginning', PROBLEM),
  deliveries: Schema.list('the newest ten, newest first', DELIVERY),
})

export const SOURCES_SCHEMA = Schema.object({ data: Schema.list('in the order of their names', SOURCE) })
