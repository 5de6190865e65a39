/** The body of `GET /changes`. */
import { SCOPES } from '../../core/access/keys/scopes.ts'
import { FEED_KINDS, FEED_OPERATIONS } from './present-changes.ts'

const DAY = { type: 'string', format: 'date' } as const

export const CHANGE_ENTRY_SCHEMA = {
  type: 'object',
  properties: {
    kind: {
      type: 'string',
      enum: FEED_KINDS,
      description: 'the list that shows it; `meals` for the kitchen’s reports',
    },
    id: {
      type: ['string', 'null'],
      description:
        'a guest’s `id`, a session’s `_id` or an order’s `uuid`; null if the whole kind must be read again, and for meals',
    },
    operation: {
      type: 'string',
      enum: FEED_OPERATIONS,
      description:
        '`deleted`: remove it from your copy. `created` and `changed`: read it and replace your copy, if you have one. Meals are only `changed` or `readAgain`. `readAgain`: too much changed at once; read the whole kind again',
    },
    groups: {
      type: 'array',
      items: { type: 'string', enum: SCOPES },
      description: 'which of the fields that your key may read have changed, by scope',
    },
    sessionIds: {
      type: 'array',
      items: { type: 'string' },
      description: 'the sessions that the guest was in before or is in after; empty for other kinds',
    },
    days: {
      type: 'array',
      items: { type: 'object', properties: { from: DAY, to: DAY }, required: ['from', 'to'] },
      description:
        'the stay, the session, or the day of the order, before and after, in the center’s local days',
    },
    at: { type: 'string', format: 'date-time', description: 'when it was committed' },
  },
  required: ['kind', 'id', 'operation', 'groups', 'sessionIds', 'days', 'at'],
} as const

export const CHANGES_SCHEMA = {
  type: 'object',
  properties: {
    data: { type: 'array', items: CHANGE_ENTRY_SCHEMA },
    cursor: { type: 'string', description: 'send it as `after` to continue' },
    more: {
      type: 'boolean',
      description: 'whether there are more entries already; a page may be short or empty even so',
    },
  },
  required: ['data', 'cursor', 'more'],
} as const
