/** The JSON Schema of the list of contradictions. */
import { SCOPES } from '../../core/access/keys/scopes.ts'
import { CONTRADICTION_KINDS } from '../../core/records/centers/contradiction-kinds.ts'
import { object } from '../../core/request/object-schema.ts'
import { KIND_FACTS, SEVERITIES } from './kinds.ts'

const STRING = { type: 'string' }
const MOMENT = { type: 'string', format: 'date-time' }
const KIND = {
  type: 'string',
  enum: CONTRADICTION_KINDS,
  description: CONTRADICTION_KINDS.map((kind) => `\`${kind}\`: ${KIND_FACTS[kind].description}`).join(' '),
}

const CONTRADICTION = object({
  id: { ...STRING, description: 'the same as long as the same records contradict each other' },
  kind: KIND,
  severity: { type: 'string', enum: SEVERITIES },
  since: { ...MOMENT, description: 'when it was found' },
  changedAt: { ...MOMENT, description: 'when the compared values last changed' },
  evidence: object({
    digest: { ...STRING, description: 'of the compared values; name it to dismiss the contradiction' },
    records: {
      type: 'array',
      description: 'the records that contradict each other',
      items: object({
        kind: { type: 'string', enum: ['guest', 'order', 'room'] },
        id: { ...STRING, description: 'a guest’s `id`, an order’s `uuid`, or a room’s term' },
        name: { type: ['string', 'null'], description: 'of the guest or the room; number of the order' },
      }),
    },
    compared: {
      type: 'array',
      description: 'the compared values',
      items: object({
        field: { ...STRING, description: 'name of the field' },
        values: {
          type: 'array',
          description: 'the raw value of each of the records, in their order; null if it has none',
          items: {
            anyOf: [{ type: ['string', 'number', 'boolean', 'null'] }, { type: 'array', items: STRING }],
          },
        },
      }),
    },
  }),
  dismissed: {
    anyOf: [
      object({
        at: MOMENT,
        by: { ...STRING, description: 'the name that was given' },
        reason: STRING,
      }),
      { type: 'null' },
    ],
    description:
      'who has decided that nothing is to be done; null if nobody has, or if the evidence has changed since',
  },
})

export const CONTRADICTIONS_SCHEMA = object({
  data: { type: 'array', items: CONTRADICTION },
  total: { type: 'integer', minimum: 0, description: 'number of contradictions available in all pages' },
  withheld: {
    type: 'array',
    description: 'kinds that your key may not read, with the scopes that it lacks',
    items: object({
      kind: { type: 'string', enum: CONTRADICTION_KINDS },
      count: {
        type: ['integer', 'null'],
        minimum: 0,
        description:
          'their number; null, not counted, with `guestId`, `startDate`, `endDate` or `changedAfter`',
      },
      scopes: { type: 'array', items: { type: 'string', enum: SCOPES } },
    }),
  },
  notReported: {
    type: 'array',
    description: 'kinds that the center does not want reported',
    items: { type: 'string', enum: CONTRADICTION_KINDS },
  },
  complete: {
    type: 'boolean',
    description:
      'whether every commit has been evaluated. If false, contradictions may be missing, or may have ended; ask again in a second',
  },
})
