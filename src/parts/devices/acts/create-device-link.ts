/** `POST /actions/create-device-link`: a one-time link that hands a key to a device. */
import { createDeviceLink, DEVICE_LINK_MS_MAX } from '../../../core/access/keys/device-links.ts'
import { toKey } from '../../../core/access/keys/key.ts'
import { administer, ownKeys, requireKeyGrantable, requireShorter } from '../../../core/acts/administer.ts'
import { idField } from '../../../core/acts/fields.ts'
import { recordAct } from '../../../core/audit/record-act.ts'
import { errors } from '../../../core/errors/api-error.ts'
import { defineAction } from '../../../core/request/action.ts'
import { wholeNumberField } from '../../../core/request/action-body.ts'
import { moment, object, text, textOrNull } from '../../../core/request/object-schema.ts'
import { DEVICE_PAGE } from '../device-page.ts'

const MINUTE_MS = 60_000

export const createDeviceLinkAction = defineAction({
  name: 'create-device-link',
  summary: 'Hand a key to a device',
  description:
    'Makes a link that hands a key to a device, once. The page that it opens says what the device will see, and its button signs the device in: the key gets a new secret then, which only the device has, so a device that had the key before is signed out. Earlier links of the key that were not used end. Your key must be able to grant everything that the key may read, and be valid for as long. The answer has the link, which is stored nowhere: the answer to a repetition has null in its place.',
  scope: 'administration',
  once: ['url'],
  body: {
    key: idField('`publicKey` of the key; `appId` for the newest key of the application.'),
    validMinutes: wholeNumberField('For how many minutes the link can be used: 15 for a device nearby.', {
      minimum: 1,
      maximum: DEVICE_LINK_MS_MAX / MINUTE_MS,
    }),
  },
  response: object({
    link: text('its id'),
    publicKey: text('the key that the device gets'),
    expiresAt: moment(),
    url: textOrNull(
      'the link, below `PUBLIC_URL` if that is set, otherwise a path of this service; only in the first answer, null in the answer to a repetition',
    ),
  }),
  example: {
    body: { key: 'sjn_pk_rOuj6acjcdlE0dQv7Zs1Kx2fX9Ym', validMinutes: 15 },
    answer: {
      link: 'sjn_dev_4kT0cWb8XrEu2nLs',
      publicKey: 'sjn_pk_rOuj6acjcdlE0dQv7Zs1Kx2fX9Ym',
      expiresAt: '2026-03-02T08:30:04.120Z',
      url: null,
    },
  },

  async perform({ body: { key: id, validMinutes }, ...context }) {
    const { settings, center } = context
    const keys = await ownKeys(context, id)
    if (keys.some(({ intake }) => intake)) throw errors.onlyByCommand('keys for intake are handed out')
    await requireKeyGrantable(context, keys)
    const { result, facts } = await administer(context, 'key', async ({ database, now }) =>
      database.transaction(async (tx) => {
        // Without an active key, the refusal says that it has ended.
        const key = keys.find((row) => toKey(row, now).status === 'active') ?? keys[0]
        requireShorter(context, [key])
        const { public_key: publicKey, scopes } = key
        const made = await createDeviceLink(
          tx,
          { centerId: center.id, publicKey, intake: false },
          { random: settings.random, now, validMs: validMinutes * MINUTE_MS },
        )
        const { link } = made
        await recordAct(tx, {
          center: center.id,
          name: 'createDeviceLink',
          facts: { link: link.id, publicKey, appId: link.appId, expires: link.expiresAt },
          scopes,
        })
        return made
      }),
    )
    const { link, token } = result
    const url = `${settings.publicUrl}${DEVICE_PAGE}${token}`
    return {
      answer: { link: link.id, publicKey: link.publicKey, expiresAt: link.expiresAt, url },
      facts,
    }
  },
})
