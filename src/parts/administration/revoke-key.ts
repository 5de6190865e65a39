/** `POST /actions/revoke-key`: keys that are refused from the next request on. */
import { revokeKey } from '../../core/access/keys/revoke-key.ts'
import { administer, ownKeys } from '../../core/acts/administer.ts'
import { idField } from '../../core/acts/fields.ts'
import { recordKeyAct } from '../../core/audit/record-key-act.ts'
import { defineAction } from '../../core/request/action.ts'
import { count, object, text } from '../../core/request/object-schema.ts'

export const revokeKeyAction = defineAction({
  name: 'revoke-key',
  summary: 'Revoke a key',
  description:
    'Revokes a key, or all keys of an application, also those that read more than your key may grant. They are refused from the next request on. Revoking twice does no harm. A key of the administration is revoked by a command only.',
  scope: 'administration',
  space: 'reserve',
  body: { key: idField('`publicKey` for one key; `appId` for all keys of the application.') },
  response: object({
    key: text(),
    revoked: count('how many keys were revoked now'),
  }),
  example: {
    body: { key: 'sjn_app_h2pMSS0L1KpjLDc4' },
    answer: { key: 'sjn_app_h2pMSS0L1KpjLDc4', revoked: 1 },
  },

  async perform({ body: { key: id }, ...context }) {
    await ownKeys(context, id)
    const { result, facts } = await administer(context, 'key', ({ database, now, center }) =>
      revokeKey(database, id, { now, note: recordKeyAct, center }),
    )
    return { answer: { key: id, revoked: result.revoked }, facts: { key: id, ...facts } }
  },
})
