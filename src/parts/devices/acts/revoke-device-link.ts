/** `POST /actions/revoke-device-link`: a link for a device that nobody can use any more. */
import { revokeDeviceLink } from '../../../core/access/keys/device-links.ts'
import { administer } from '../../../core/acts/administer.ts'
import { idField } from '../../../core/acts/fields.ts'
import { recordAct } from '../../../core/audit/record-act.ts'
import { defineAction } from '../../../core/request/action.ts'
import { flag, object, text } from '../../../core/request/object-schema.ts'

export const revokeDeviceLinkAction = defineAction({
  name: 'revoke-device-link',
  summary: 'Revoke a link for a device',
  description:
    'Ends a link that was not used yet. Its key stays as it is: to sign out a device that has used the link, revoke the key. If your center has no such link, or it cannot be used anyway, nothing is changed and `revoked` is false.',
  scope: 'administration',
  space: 'reserve',
  body: { link: idField('`id` of the link.') },
  response: object({ link: text(), revoked: flag() }),
  example: {
    body: { link: 'sjn_dev_4kT0cWb8XrEu2nLs' },
    answer: { link: 'sjn_dev_4kT0cWb8XrEu2nLs', revoked: true },
  },

  async perform({ body: { link: id }, ...context }) {
    const { result, facts } = await administer(context, 'link', ({ database, now, center }) =>
      database.transaction(async (tx) => {
        const link = await revokeDeviceLink(tx, id, { now, centerId: center })
        if (link === undefined) return false
        const { appId, publicKey } = link
        await recordAct(tx, {
          center,
          name: 'revokeDeviceLink',
          facts: { link: id, publicKey, appId },
          scopes: [],
        })
        return true
      }),
    )
    return { answer: { link: id, revoked: result }, facts: result ? facts : { link: 'none' } }
  },
})
