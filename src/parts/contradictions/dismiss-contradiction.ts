/** `POST /actions/dismiss-contradiction`: a person decides that nothing is to be done about a contradiction. */
import { scopesMissing } from '../../core/access/keys/contradiction-scopes.ts'
import { errors } from '../../core/errors/api-error.ts'
import { isoMoment } from '../../core/locale/dates.ts'
import { type ContradictionKind, kindsOn } from '../../core/records/centers/contradiction-kinds.ts'
import { defineAction } from '../../core/request/action.ts'
import { textField, textOrNullField } from '../../core/request/action-body.ts'
import { momentOrNull, object, text } from '../../core/request/object-schema.ts'
import { selectKind, setDismissed } from './contradictions-sql.ts'

const REASON_MAX = 500
const NAME_MAX = 200
const ID_MAX = 64

export const dismissContradiction = defineAction({
  name: 'dismiss-contradiction',
  summary: 'Dismiss a contradiction',
  description:
    'Says that nothing is to be done about a contradiction, with a reason and the name of the person who decides. It is listed as dismissed until the compared values change. With null as the reason, a dismissal is taken back. Name the digest of the evidence that the person has seen: if the evidence is another one now, nothing is changed, and the answer is a 404. `GET /changes` reports it as a change of `contradictions`.',
  scope: 'contradictions',
  body: {
    contradiction: textField('Identifier of the contradiction.', ID_MAX),
    digest: textField('`evidence.digest` of the contradiction.', ID_MAX),
    reason: textOrNullField('Why nothing is to be done; null takes the dismissal back.', REASON_MAX),
    name: textField('Name of the person who decides.', NAME_MAX),
  },
  response: object({
    contradiction: text(),
    dismissedAt: momentOrNull('null if it was taken back'),
  }),
  example: {
    body: {
      contradiction: 'Zk3nVq0hF2xWc8dLr5uPbA',
      digest: 'm1T7yQe4sXoJ9wKg6aRzNu',
      reason: 'Father and son, both are guests.',
      name: 'Maria, reception',
    },
    answer: { contradiction: 'Zk3nVq0hF2xWc8dLr5uPbA', dismissedAt: '2025-01-16T06:14:02.117Z' },
  },

  async perform({ center, reader, body: { contradiction, digest, reason, name }, query }) {
    const [stored] = await query<{ kind: ContradictionKind }>(selectKind(center.id, contradiction, digest))
    // To a key that may not read it, it does not exist.
    const mayRead =
      stored !== undefined &&
      kindsOn(center).includes(stored.kind) &&
      scopesMissing(stored.kind, reader, center).length === 0
    if (!mayRead) {
      throw errors.notFound(
        'There is no contradiction with this identifier and this digest that your key may read. It has ended, or its evidence has changed: read GET /contradictions again.',
      )
    }
    const [row] = await query<{ at: number | null }>(setDismissed(center.id, contradiction, { reason, name }))
    const at = row?.at ?? null
    return {
      answer: { contradiction, dismissedAt: at === null ? null : isoMoment(at) },
      facts: { contradiction, kind: stored.kind, dismissed: String(reason !== null) },
    }
  },
})
