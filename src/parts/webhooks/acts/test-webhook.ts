/** `POST /actions/test-webhook`: a test message, sent at once. */

import { administer } from '../../../core/acts/administer.ts'
import { idField } from '../../../core/acts/fields.ts'
import { defineAction } from '../../../core/request/action.ts'
import { object, text } from '../../../core/request/object-schema.ts'
import { prepareTest } from '../manage-webhooks.ts'
import { createSend } from '../send.ts'
import { createAddressRule } from '../target.ts'
import { ownWebhook } from './find-webhook.ts'
import { ATTEMPT } from './webhook-schema.ts'

export const testWebhookAction = defineAction({
  name: 'test-webhook',
  summary: 'Test a webhook',
  description:
    'Sends a signed message of the type `test` at once, whatever the state of the webhook, and says how the receiver answered, within 15 seconds. It has no data. A repetition with the same `Idempotency-Key` sends nothing, and its answer has null for the outcome.',
  scope: 'administration',
  once: Object.keys(ATTEMPT),
  body: { webhook: idField('`id` of the webhook.') },
  response: object({ webhook: text(), ...ATTEMPT }),
  example: {
    body: { webhook: 'sjn_hook_7Yc1nGq0TtVbWz3k' },
    answer: { webhook: 'sjn_hook_7Yc1nGq0TtVbWz3k', outcome: 'delivered', status: 204 },
  },

  async perform({ body: { webhook: id }, ...context }) {
    const { settings } = context
    await ownWebhook(context, id)
    const { result: send } = await administer(context, 'webhook', ({ database, now, center }) =>
      prepareTest(database, id, {
        key: settings.webhooksKey,
        send: createSend({ allows: createAddressRule(settings.webhooksAllowedAddresses) }),
        now,
        random: settings.random,
        center,
      }),
    )
    return {
      answer: { webhook: id, outcome: null, status: null },
      facts: { webhook: id },
      // A receiver may take its time: no transaction waits for it.
      async afterwards() {
        const { outcome, status = null } = await send()
        return { outcome, status }
      },
    }
  },
})
