/** The JSON Schema of `GET /administration/reads`. */
import * as Schema from '../../core/request/object-schema.ts'

const ENTRY = Schema.object({
  at: Schema.moment(),
  reads: Schema.atLeastOne('how many reads of the same data it counts for'),
  key: Schema.orNull(
    Schema.object({
      name: Schema.text('as it was at that time'),
      appId: Schema.text('the application, or the `id` of a link'),
      publicKey: Schema.text(),
    }),
    'null for a command',
  ),
  command: Schema.orNull(
    Schema.object({ user: Schema.text(), machine: Schema.text() }),
    'who ran a command, as that process stated it; null for a key',
  ),
  operation: {
    ...Schema.text(),
    description: 'the operationId of what was read or done, or the name of a command',
    examples: ['listGuests'],
  },
  channel: Schema.textOrNull(
    '`assistant` for an AI assistant, `link` for a link, null for a program or the console',
  ),
  scopes: Schema.listOf(Schema.text(), 'the scopes that it needed'),
  records: Schema.count('number of records'),
  named: Schema.flag(
    'whether the trail has the identifiers of the records. If not, they were too many, and a search for a guest may not find this read',
  ),
  parameters: Schema.list(
    'of the request, without what names a person; or the facts of an action or a command',
    Schema.object({ name: Schema.text(), value: Schema.text() }),
  ),
  requestId: Schema.text('of the first read; `-` for a command'),
  entry: Schema.atLeastOne('number of the entry in the chain of the center'),
})

export const READS_SCHEMA = Schema.object({
  data: Schema.listOf(ENTRY),
  next: Schema.textOrNull('`after` of the next page; null on the last one'),
})
