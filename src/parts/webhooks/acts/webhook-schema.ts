/** Webhooks in the answers of the administration. */
import { ORDINARY_SCOPES } from '../../../core/access/keys/scopes.ts'
import { object } from '../../../core/request/object-schema.ts'
import { FEED_KINDS } from '../../changes/present-changes.ts'

const STRING = { type: 'string' }
const MOMENT = { type: 'string', format: 'date-time' }
const MOMENT_OR_NULL = { type: ['string', 'null'], format: 'date-time' }
const COUNT = { type: 'integer', minimum: 0 }

/** How an attempt ended (docs/webhooks.md). */
export const OUTCOMES = [
  'delivered',
  'gone',
  'redirected',
  'refused',
  'timeout',
  'unreachable',
  'forbidden',
] as const

const STATUS = { type: ['integer', 'null'], description: 'status of the answer; null if there was none' }

const WEBHOOK = object({
  id: STRING,
  name: { ...STRING, description: 'who receives the messages' },
  url: STRING,
  scopes: { type: 'array', items: { type: 'string', enum: ORDINARY_SCOPES } },
  kinds: {
    type: 'array',
    items: { type: 'string', enum: FEED_KINDS },
    description: 'the kinds of changes that are sent',
  },
  state: {
    ...STRING,
    enum: ['active', 'paused', 'failed', 'gone'],
    description: '`failed`: nothing was accepted for three days; `gone`: the receiver answered 410',
  },
  createdAt: MOMENT,
  deliveredAt: { ...MOMENT_OR_NULL, description: 'when a message was accepted last; null: never' },
  failingSince: { ...MOMENT_OR_NULL, description: 'since when messages are not accepted; null: they are' },
  nextAttemptAt: MOMENT_OR_NULL,
  attempts: { ...COUNT, description: 'failed attempts of the message that is next' },
  deliveries: {
    type: 'array',
    description: 'the last attempts, newest first',
    items: object({
      at: MOMENT,
      attempt: COUNT,
      changes: { ...COUNT, description: 'how many changes the message had' },
      outcome: { ...STRING, enum: OUTCOMES },
      status: STATUS,
      milliseconds: COUNT,
    }),
  },
})

export const WEBHOOKS_SCHEMA = object({
  data: { type: 'array', description: 'in the order of their creation', items: WEBHOOK },
})

export const ATTEMPT = {
  outcome: {
    type: ['string', 'null'],
    enum: [...OUTCOMES, null],
    description: 'how it ended; null in the answer to a repetition, which sends nothing',
  },
  status: STATUS,
}
