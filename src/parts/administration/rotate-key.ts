/** `POST /actions/rotate-key`: new secrets for an application. */
import { rotateKey } from '../../core/access/keys/rotate-key.ts'
import { administer, ownKeys, requireKeyGrantable, requireShorter } from '../../core/acts/administer.ts'
import { idField } from '../../core/acts/fields.ts'
import { recordKeyAct } from '../../core/audit/record-key-act.ts'
import { errors } from '../../core/errors/api-error.ts'
import { defineAction } from '../../core/request/action.ts'
import { wholeNumberField } from '../../core/request/action-body.ts'
import { list, moment, object, text } from '../../core/request/object-schema.ts'
import { MADE_KEY, MADE_KEY_EXAMPLE, SECRETS } from './key-schema.ts'

/** A month. */
const OVERLAP_HOURS_MAX = 24 * 31

export const rotateKeyAction = defineAction({
  name: 'rotate-key',
  summary: 'Rotate a key',
  description:
    'Replaces the key of an application: new secrets, same scopes. The old keys work until the overlap ends. Your key must be able to grant everything that the key may read, and be valid for as long. The answer has the secrets, which are stored nowhere: the answer to a repetition has null in their place. A key for intake is rotated by a command only.',
  scope: 'administration',
  once: SECRETS,
  body: {
    key: idField('`appId`, or the `publicKey` of one of its keys.'),
    overlapHours: wholeNumberField('Hours for which the old keys still work; 0 ends them at once.', {
      minimum: 0,
      maximum: OVERLAP_HOURS_MAX,
    }),
  },
  response: object({
    ...MADE_KEY,
    replaces: list('the old keys', object({ publicKey: text(), expiresAt: moment() })),
  }),
  example: {
    body: { key: 'sjn_app_h2pMSS0L1KpjLDc4', overlapHours: 24 },
    answer: {
      ...MADE_KEY_EXAMPLE,
      replaces: [{ publicKey: 'sjn_pk_2fX9YmrOuj6acjcdlE0dQv7Zs1Kx', expiresAt: '2026-03-03T08:15:04.120Z' }],
    },
  },

  async perform({ body: { key: id, overlapHours }, ...context }) {
    const { settings } = context
    const keys = await ownKeys(context, id)
    if (keys.some(({ intake }) => intake)) throw errors.onlyByCommand('keys for intake are rotated')
    // A person who rotates a key gets its secrets, and may read what it may read.
    await requireKeyGrantable(context, keys)
    requireShorter(context, keys)
    const { result, facts } = await administer(context, 'key', ({ database, now, center }) =>
      rotateKey(database, id, {
        random: settings.random,
        now,
        daysMax: settings.keyDaysMax,
        note: recordKeyAct,
        overlapMs: overlapHours * 3_600_000,
        endsBy: context.actor.expiresAt,
        center,
      }),
    )
    const { appId, publicKey, secretKey, apiKey, expiresAt, replaces } = result
    return { answer: { appId, publicKey, expiresAt, secretKey, apiKey, replaces }, facts }
  },
})
