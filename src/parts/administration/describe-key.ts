/** `POST /actions/describe-key`: who answers for a key, and when its need is reviewed. */
import { describeKey } from '../../core/access/keys/describe-key.ts'
import { administer, ownKeys } from '../../core/acts/administer.ts'
import { idField, nameOrNullField } from '../../core/acts/fields.ts'
import { recordKeyAct } from '../../core/audit/record-key-act.ts'
import { defineAction } from '../../core/request/action.ts'
import { dayOrNullField } from '../../core/request/action-body.ts'
import { object, text } from '../../core/request/object-schema.ts'

export const describeKeyAction = defineAction({
  name: 'describe-key',
  summary: 'Describe a key',
  description:
    'Sets who answers for the keys of an application, and the day by which somebody checks whether they are still required. It changes nothing that they may read.',
  scope: 'administration',
  body: {
    key: idField('`appId`, or the `publicKey` of one of its keys.'),
    responsible: nameOrNullField('Who answers for it; null if there is no name.'),
    reviewOn: dayOrNullField('Local day of the next review; null for none.'),
  },
  response: object({
    appId: text(),
    reviewOn: { type: ['string', 'null'], format: 'date' },
  }),
  example: {
    body: { key: 'sjn_app_h2pMSS0L1KpjLDc4', responsible: 'Doina, kitchen', reviewOn: '2026-12-31' },
    answer: { appId: 'sjn_app_h2pMSS0L1KpjLDc4', reviewOn: '2026-12-31' },
  },

  async perform({ body: { key: id, responsible, reviewOn }, ...context }) {
    await ownKeys(context, id)
    const { result, facts } = await administer(context, 'responsible', ({ database, now, center }) =>
      describeKey(database, id, { responsible, reviewOn }, { now, note: recordKeyAct, center }),
    )
    return { answer: { appId: result.appId, reviewOn: result.reviewOn }, facts }
  },
})
