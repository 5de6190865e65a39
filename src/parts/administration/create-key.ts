/** `POST /actions/create-key`: a key of the administration creates a key for its center. */
import { checkAddresses, createKey } from '../../core/access/keys/create-key.ts'
import { readDietFields } from '../../core/access/keys/diet-fields.ts'
import { ORDINARY_SCOPES } from '../../core/access/keys/scopes.ts'
import { administer, endWithin, requireGrantable } from '../../core/acts/administer.ts'
import { addressesField, nameField, nameOrNullField } from '../../core/acts/fields.ts'
import { recordKeyAct } from '../../core/audit/record-key-act.ts'
import { errors } from '../../core/errors/api-error.ts'
import { defineAction } from '../../core/request/action.ts'
import { booleanField, choicesField, dayOrNullField } from '../../core/request/action-body.ts'
import { object } from '../../core/request/object-schema.ts'
import { countKeys } from './administration-sql.ts'
import { MADE_KEY, MADE_KEY_EXAMPLE, SECRETS } from './key-schema.ts'

/** Of one center, including those that have ended: a program that creates keys without end stops here. */
const KEYS_MAX = 1000

export const createKeyAction = defineAction({
  name: 'create-key',
  summary: 'Create a key',
  description:
    'Creates a key for the center, with scopes that your key may grant. The answer has its secrets, which are stored nowhere: the answer to a repetition has null in their place. If you have not received them, rotate the key with an overlap of 0. With `diets`, the key may read the diets of the center, which are custom fields; that takes a key that may grant `guests.personal`. A key of the administration or for intake is created by a command only.',
  scope: 'administration',
  once: SECRETS,
  body: {
    name: nameField('Who will use it.'),
    scopes: choicesField('What it may read, and which actions it may perform.', ORDINARY_SCOPES),
    diets: booleanField("Whether it may read the center's diets without `guests.personal`."),
    responsible: nameOrNullField('Who answers for it; null if there is no name.'),
    reviewOn: dayOrNullField(
      'Local day by which somebody checks whether it is still required; null for none.',
    ),
    expiresOn: dayOrNullField(
      'The last local day on which it is valid; null if it does not expire, which only a key that does not expire creates.',
    ),
    allowedAddresses: addressesField(
      'Addresses and ranges from which it may be used; empty for any address.',
    ),
  },
  response: object(MADE_KEY),
  example: {
    body: {
      name: 'Kitchen wall',
      scopes: ['meals', 'sessions', 'meals.confirm'],
      diets: true,
      responsible: 'Doina, kitchen',
      reviewOn: '2026-12-31',
      expiresOn: null,
      allowedAddresses: ['192.0.2.0/24'],
    },
    answer: MADE_KEY_EXAMPLE,
  },

  async perform({ body, ...context }) {
    const { center, settings } = context
    const { name, scopes, diets, responsible, reviewOn, expiresOn, allowedAddresses } = body
    const { fields } = diets ? await readDietFields(context, center.id) : { fields: [] }
    await requireGrantable(context, scopes, fields)
    const [counted] = await context.query<{ count: number }>(countKeys(center.id))
    if ((counted?.count ?? 0) >= KEYS_MAX) {
      throw errors.invalidParameters([
        { parameter: 'name', message: `A center may have at most ${KEYS_MAX} keys by actions.` },
      ])
    }
    const expiresAt = endWithin(context, expiresOn)
    const { result, facts } = await administer(context, 'expiresOn', ({ database, now }) =>
      createKey(
        database,
        {
          centerId: center.id,
          name,
          scopes,
          customFields: fields,
          responsible,
          reviewOn,
          allowedAddresses: checkAddresses(allowedAddresses),
          expiresAt,
        },
        { random: settings.random, now, daysMax: settings.keyDaysMax, note: recordKeyAct },
      ),
    )
    const { appId, publicKey, secretKey, apiKey } = result
    return { answer: { appId, publicKey, expiresAt: result.expiresAt, secretKey, apiKey }, facts }
  },
})
