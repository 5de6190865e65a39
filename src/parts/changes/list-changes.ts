/** `GET /changes`: what changed in a center since a cursor, in commit order. */
import type { Problem } from '../../core/errors/api-error.ts'
import type { AnswerOf } from '../../core/request/object-schema.ts'
import { defineOperation, firstRevision } from '../../core/request/operation.ts'
import { countParameter, cursorParameter, secondsParameter } from '../../core/request/parameter-kinds.ts'
import {
  type ParameterValues,
  readParameters,
  refusalOf,
  type SentParameters,
} from '../../core/request/parameters.ts'
import { CHANGES_SCHEMA, FEED_KINDS } from './change-schema.ts'
import { type FeedPage, questionParameters, readingOf, readQuestion } from './question.ts'

/**
 * An entry is a tenth of the size of a guest, and a client that was offline for a day should not need a hundred
 * requests.
 */
const LENGTH_MAX = 1000
const DEFAULT_LENGTH = 100
const WAIT_SECONDS_MAX = 30

const parameters = {
  after: cursorParameter({
    description:
      'The `cursor` of the previous answer. Without it, the answer has no entries, only the newest cursor to start from.',
  }),
  ...questionParameters,
  length: countParameter({
    name: 'length',
    description: `Entries per answer, up to ${LENGTH_MAX}.`,
    default: DEFAULT_LENGTH,
  }),
  wait: secondsParameter({
    description: `If nothing has changed yet, wait this many seconds, up to ${WAIT_SECONDS_MAX}; the answer comes as soon as something has.`,
    maximum: WAIT_SECONDS_MAX,
  }),
} as const

type Values = ParameterValues<typeof parameters>

export const listChanges = defineOperation({
  name: 'listChanges',
  summary: 'Follow what changes',
  description:
    'What has changed since a cursor, including deletions, in the order of the commits: which guest, session or order, and which groups of its fields, but never values; for a kitchen, on which days meals changed, but never whose. One entry for each record and commit. Each answer has the cursor to continue from. If a cursor is too old, the answer is a 410: start again.',
  paths: ['/changes'],
  scope: 'any',
  oneOf: FEED_KINDS,
  dependsOn: ['key'],
  parameters,
  response: CHANGES_SCHEMA,

  parse(context) {
    const { values, sent, problems } = readParameters(parameters, context.query)
    const { after, kinds, sessionId, length, wait } = values
    const read = readQuestion({ kinds, sessionId }, { text: after, parameter: 'after' }, context)
    const { question, requiredScopes, cursor } = read
    const refusal = refusalOf([...problems, ...read.problems, ...combined(values, sent)])
    if (refusal !== undefined) return { requiredScopes, refusal }
    const { statement, cost, page } = readingOf(context.center, question, cursor, length, 'after')
    return {
      requiredScopes,
      normalForm: JSON.stringify([after ?? null, question.kinds, sessionId, length]),
      cost,
      statement,
      revisionOf: firstRevision,
      dependencies: undefined,
      waitSeconds: wait,
      present: (rows) => presentPage(page(rows)),
    }
  },
})

/** Problems of parameters in combination; checked only if each parameter is valid. */
function combined({ length, wait }: Values, sent: SentParameters<typeof parameters>): Problem[] {
  return [
    ...(length <= LENGTH_MAX
      ? []
      : [
          { parameter: 'length', message: `length ${length} is above the maximum of ${LENGTH_MAX} entries.` },
        ]),
    ...(wait > 0 && !sent.has('after')
      ? [{ parameter: 'wait', message: 'wait needs after: without a cursor, the answer never waits.' }]
      : []),
  ]
}

function presentPage({ entries, cursor, more, revision }: FeedPage) {
  const data = entries.map(({ entry }) => entry)
  return {
    body: JSON.stringify({ data, cursor, more } satisfies AnswerOf<typeof CHANGES_SCHEMA>),
    revision,
    records: { count: data.length, ids: data.flatMap(({ id }) => id ?? []) },
    isQuiet: data.length === 0 && !more,
  }
}
