/** The JSON Schema of the list of contradictions. */
import { SCOPES } from '../../core/access/keys/scopes.ts'
import { CONTRADICTION_KINDS } from '../../core/records/centers/contradiction-kinds.ts'
import * as Schema from '../../core/request/object-schema.ts'
import { KIND_FACTS, SEVERITIES } from './kinds.ts'

const KIND = {
  type: 'string',
  enum: CONTRADICTION_KINDS,
  description: CONTRADICTION_KINDS.map((kind) => `\`${kind}\`: ${KIND_FACTS[kind].description}`).join(' '),
}

export const EVIDENCE_SCHEMA = Schema.object({
  digest: Schema.text('of the compared values; name it to dismiss the contradiction'),
  records: Schema.list(
    'the records that contradict each other',
    Schema.object({
      kind: Schema.oneOf(['guest', 'order', 'room']),
      id: Schema.text('a guest’s `id`, an order’s `uuid`, or a room’s term'),
      name: Schema.textOrNull('of the guest or the room; number of the order'),
    }),
  ),
  compared: Schema.list(
    'the compared values',
    Schema.object({
      field: Schema.text('name of the field'),
      values: Schema.list('the raw value of each of the records, in their order; null if it has none', {
        anyOf: [{ type: ['string', 'number', 'boolean', 'null'] }, Schema.listOf(Schema.text())],
      }),
    }),
  ),
})

const CONTRADICTION = Schema.object({
  id: Schema.text('the same as long as the same records contradict each other'),
  kind: KIND,
  severity: Schema.oneOf(SEVERITIES),
  since: Schema.moment('when it was found'),
  changedAt: Schema.moment('when the compared values last changed'),
  evidence: EVIDENCE_SCHEMA,
  dismissed: {
    anyOf: [
      Schema.object({
        at: Schema.moment(),
        by: Schema.text('the name that was given'),
        reason: Schema.text(),
      }),
      { type: 'null' },
    ],
    description:
      'who has decided that nothing is to be done; null if nobody has, or if the evidence has changed since',
  },
})

export const CONTRADICTIONS_SCHEMA = Schema.object({
  data: Schema.listOf(CONTRADICTION),
  total: Schema.count('number of contradictions available in all pages'),
  withheld: Schema.list(
    'kinds that your key may not read, with the scopes that it lacks',
    Schema.object({
      kind: Schema.oneOf(CONTRADICTION_KINDS),
      count: Schema.countOrNull(
        'their number; null, not counted, with `guestId`, `startDate`, `endDate` or `changedAfter`',
      ),
      scopes: Schema.listOf(Schema.oneOf(SCOPES)),
    }),
  ),
  notReported: Schema.list('kinds that the center does not want reported', Schema.oneOf(CONTRADICTION_KINDS)),
  complete: Schema.flag(
    'whether every commit has been evaluated. If false, contradictions may be missing, or may have ended; ask again in a second',
  ),
})
