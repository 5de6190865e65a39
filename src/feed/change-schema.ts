/** The body of `GET /changes`. */
import { SCOPES } from '../keys/scopes.ts'
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
        'a guest’s `id`, a session’s `_id` or an order’s `uuid`; null where the whole kind is to be read again, and of meals',
    },
    operation: {
      type: 'string',
      enum: FEED_OPERATIONS,
      description:
        '`deleted`: take it out of your copy. `created` and `changed`: read it and put it in place of what you have, if anything. Meals are only `changed` or `readAgain`. `readAgain`: so much moved at once that this kind is to be read again as a whole',
    },
    groups: {
      type: 'array',
      items: { type: 'string', enum: SCOPES },
      description: 'which of the fields that your key may read have moved, by their scope',
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
    cursor: { type: 'string', description: 'give it as `after` to go on' },
    more: {
      type: 'boolean',
      description:
        'whether there is more to look through already; a page may be short, or empty, all the same',
    },
  },
  required: ['data', 'cursor', 'more'],
} as const
