/** The body of `GET /changes`. */
import { SCOPES } from '../../core/access/keys/scopes.ts'
import * as Schema from '../../core/request/object-schema.ts'

/**
 * The kinds, named as the endpoints and scopes. `meals` is for keys that may not follow guests: it says that meals
 * changed, but not of which guest; and for everybody that another sheet is on the kitchen's wall. `contradictions` says
 * which one was found, changed or has ended, but not what it is about; a key that may not read every kind only learns that
 * the list is another one, because an identifier can be computed from the records that are compared.
 */
export const FEED_KINDS = ['guests', 'sessions', 'orders', 'meals', 'contradictions'] as const
export type FeedKind = (typeof FEED_KINDS)[number]

export const CHANGE_ENTRY_SCHEMA = Schema.object({
  kind: Schema.oneOf(FEED_KINDS, 'the list that shows it; `meals` for the kitchen’s reports'),
  id: Schema.textOrNull(
    'a guest’s `id`, a session’s `_id` or an order’s `uuid`; null if the whole kind must be read again, and for meals',
  ),
  operation: Schema.oneOf(
    ['created', 'changed', 'deleted', 'readAgain'],
    '`deleted`: remove it from your copy. `created` and `changed`: read it and replace your copy, if you have one. Meals are only `changed` or `readAgain`. `readAgain`: too much changed at once; read the whole kind again',
  ),
  groups: Schema.listOf(
    Schema.oneOf(SCOPES),
    'which of the fields that your key may read have changed, by scope',
  ),
  sessionIds: Schema.listOf(
    Schema.text(),
    'the sessions that the guest was in before or is in after; empty for other kinds',
  ),
  days: Schema.listOf(
    Schema.object({ from: Schema.day(), to: Schema.day() }),
    'the stay, the session, or the day of the order, before and after, in the center’s local days',
  ),
  at: Schema.moment('when it was committed'),
})

export type FeedEntry = Schema.AnswerOf<typeof CHANGE_ENTRY_SCHEMA>

export const CHANGES_SCHEMA = Schema.object({
  data: Schema.listOf(CHANGE_ENTRY_SCHEMA),
  cursor: Schema.text('send it as `after` to continue'),
  more: Schema.flag('whether there are more entries already; a page may be short or empty even so'),
})
