/** `POST /actions/add-webhook`: a receiver that is notified of changes. */
import { ORDINARY_SCOPES } from '../../../core/access/keys/scopes.ts'
import { administer, requireGrantable } from '../../../core/acts/administer.ts'
import { nameField } from '../../../core/acts/fields.ts'
import { defineAction } from '../../../core/request/action.ts'
import { choicesField, textField } from '../../../core/request/action-body.ts'
import { object, text, textOrNull } from '../../../core/request/object-schema.ts'
import { addWebhook } from '../manage-webhooks.ts'
import { createAddressRule } from '../target.ts'

const URL_MAX = 2000

export const addWebhookAction = defineAction({
  name: 'add-webhook',
  summary: 'Add a webhook',
  description:
    'Adds a receiver, which is notified of all changes from now on that the scopes open. Your key must be able to grant these scopes. Messages are sent to public addresses by https only, unless `WEBHOOKS_ALLOWED_ADDRESSES` names others. The answer has the signing secret, which is stored nowhere: the answer to a repetition has null in its place. A center can have ten webhooks.',
  scope: 'administration',
  once: ['secret'],
  body: {
    name: nameField('Who receives the messages.'),
    url: textField('Where they are sent, by https.', URL_MAX),
    scopes: choicesField('Scopes whose changes the receiver is notified of.', ORDINARY_SCOPES),
  },
  response: object({
    webhook: text('its id'),
    secret: textOrNull('for the receiver; only in the first answer, null in the answer to a repetition'),
  }),
  example: {
    body: { name: 'Lab', url: 'https://lab.example.org/hook', scopes: ['guests', 'sessions'] },
    answer: { webhook: 'sjn_hook_7Yc1nGq0TtVbWz3k', secret: null },
  },

  async perform({ body: { name, url, scopes }, ...context }) {
    const { settings } = context
    await requireGrantable(context, scopes)
    const { result, facts } = await administer(context, 'url', ({ database, center }) =>
      addWebhook(
        database,
        { centerId: center, name, url, scopes },
        {
          random: settings.random,
          key: settings.webhooksKey,
          allows: createAddressRule(settings.webhooksAllowedAddresses),
          hasAllowed: settings.webhooksAllowedAddresses.length > 0,
        },
      ),
    )
    return { answer: { webhook: result.id, secret: result.secret }, facts }
  },
})
