/** Webhooks in the answers of the administration. */
import { ORDINARY_SCOPES } from '../../../core/access/keys/scopes.ts'
import * as Schema from '../../../core/request/object-schema.ts'
import { FEED_KINDS } from '../../changes/change-schema.ts'

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

const WEBHOOK = Schema.object({
  id: Schema.text(),
  name: Schema.text('who receives the messages'),
  url: Schema.text(),
  scopes: Schema.listOf(Schema.oneOf(ORDINARY_SCOPES)),
  kinds: Schema.listOf(Schema.oneOf(FEED_KINDS), 'the kinds of changes that are sent'),
  state: Schema.oneOf(
    ['active', 'paused', 'failed', 'gone'],
    '`failed`: nothing was accepted for three days; `gone`: the receiver answered 410',
  ),
  createdAt: Schema.moment(),
  deliveredAt: Schema.momentOrNull('when a message was accepted last; null: never'),
  failingSince: Schema.momentOrNull('since when messages are not accepted; null: they are'),
  nextAttemptAt: Schema.momentOrNull(),
  attempts: Schema.count('failed attempts of the message that is next'),
  deliveries: Schema.list(
    'the last attempts, newest first',
    Schema.object({
      at: Schema.moment(),
      attempt: Schema.count(),
      changes: Schema.count('how many changes the message had'),
      outcome: Schema.oneOf(OUTCOMES),
      status: STATUS,
      milliseconds: Schema.count(),
    }),
  ),
})

export const WEBHOOKS_SCHEMA = Schema.object({
  data: Schema.list('in the order of their creation', WEBHOOK),
})

export const ATTEMPT = {
  outcome: {
    type: ['string', 'null'],
    enum: [...OUTCOMES, null],
    description: 'how it ended; null in the answer to a repetition, which sends nothing',
  },
  status: STATUS,
}
