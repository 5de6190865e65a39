/** `POST /actions/remove-webhook`: a receiver is notified no more. */

import { administer } from '../../../core/acts/administer.ts'
import { idField } from '../../../core/acts/fields.ts'
import { defineAction } from '../../../core/request/action.ts'
import { flag, object, text } from '../../../core/request/object-schema.ts'
import { removeWebhook } from '../manage-webhooks.ts'
import { findWebhook } from './find-webhook.ts'

export const removeWebhookAction = defineAction({
  name: 'remove-webhook',
  summary: 'Remove a webhook',
  description:
    'Removes a webhook and the list of its deliveries. Nothing more is sent. If your center has none with this identifier, nothing is changed and `removed` is false.',
  scope: 'administration',
  space: 'reserve',
  body: { webhook: idField('`id` of the webhook.') },
  response: object({ webhook: text(), removed: flag() }),
  example: {
    body: { webhook: 'sjn_hook_7Yc1nGq0TtVbWz3k' },
    answer: { webhook: 'sjn_hook_7Yc1nGq0TtVbWz3k', removed: true },
  },

  async perform({ body: { webhook: id }, ...context }) {
    const found = await findWebhook(context, id)
    if (found === undefined) return { answer: { webhook: id, removed: false }, facts: { webhook: 'none' } }
    const { facts } = await administer(context, 'webhook', ({ database, center }) =>
      removeWebhook(database, id, center),
    )
    return { answer: { webhook: id, removed: true }, facts }
  },
})
