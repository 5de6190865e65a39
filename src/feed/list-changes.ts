/** `GET /changes`: what moved in a center since a cursor, in the order of its commits. */
import { readCursor } from '../changes/cursor.ts'
import { selectFeed, selectFeedEnd } from '../changes/feed-sql.ts'
import { type Feed, feedAfter, feedEnd } from '../changes/read-feed.ts'
import { errors, type Problem } from '../errors/api-error.ts'
import { defineOperation, type Need } from '../request/operation.ts'
import {
  countParameter,
  cursorParameter,
  enumsParameter,
  identifierParameter,
  NO_CURSOR,
  secondsParameter,
} from '../request/parameter-kinds.ts'
import {
  type ParameterValues,
  readParameters,
  refusalOf,
  type SentParameters,
} from '../request/parameters.ts'
import { CHANGES_SCHEMA } from './change-schema.ts'
import { FEED_KINDS, type FeedKind, type FeedQuestion, presentNote } from './present-changes.ts'

/** An entry is a tenth of a guest's page: a follower that was away for a day should not need a hundred requests. */
const LENGTH_MAX = 1000
const DEFAULT_LENGTH = 100
/** Where only some of them are asked for, so many notes are looked through for one answer. */
const SCANNED_MAX = 1000
const WAIT_SECONDS_MAX = 30

const parameters = {
  after: cursorParameter({
    description:
      'The `cursor` of the answer before. Without it there are no entries: the answer holds the newest cursor, to start from.',
  }),
  kinds: enumsParameter({
    description: 'Only these kinds; each needs its scope. Unless given: all that the key may read.',
    values: FEED_KINDS,
  }),
  sessionId: identifierParameter({
    description:
      'Only guests of this session, and the session itself. A guest who has left the session is told as `deleted`.',
  }),
  length: countParameter({
    name: 'length',
    description: `Entries an answer, up to ${LENGTH_MAX}.`,
    default: DEFAULT_LENGTH,
  }),
  wait: secondsParameter({
    description: `Where nothing has moved yet, wait so many seconds for it, up to ${WAIT_SECONDS_MAX}; the answer comes as soon as something has.`,
    maximum: WAIT_SECONDS_MAX,
  }),
} as const

/** An order is in no session. */
const KINDS_OF_SESSIONS: readonly FeedKind[] = ['guests', 'sessions']

type Values = ParameterValues<typeof parameters>

export const listChanges = defineOperation({
  name: 'listChanges',
  summary: 'Follow what changes',
  description:
    'What moved since a cursor, deletions included, in the order of the commits: which guest, session or order, and which groups of its fields, never values. One entry for each thing and commit. Each answer has the cursor to go on from; a cursor that is too old is a 410, and you start again.',
  paths: ['/changes'],
  scope: 'any',
  oneOf: FEED_KINDS,
  dependsOn: ['key'],
  parameters,
  response: CHANGES_SCHEMA,

  parse({ center, key, query }) {
    const { values, sent, problems } = readParameters(parameters, query)
    const candidates = values.sessionId === undefined ? FEED_KINDS : KINDS_OF_SESSIONS
    const readable = candidates.filter((kind) => key.scopes.includes(kind))
    const kinds = values.kinds ?? readable
    const needs = needsOf(kinds.length === 0 && values.sessionId !== undefined ? candidates : kinds)
    const cursor = values.after === undefined ? undefined : readCursor(center.id, values.after)
    const refusal = refusalOf([
      ...problems,
      ...(values.after !== undefined && cursor === undefined ? [FORGED] : []),
      ...combined(values, sent),
    ])
    if (refusal !== undefined) return { needs, refusal }
    const { sessionId, length, wait } = values
    const question: FeedQuestion = { kinds, sessionId, scopes: key.scopes, zone: center.timezone }
    if (cursor === undefined) {
      return {
        needs,
        normalForm: JSON.stringify([null, kinds, sessionId, length]),
        statement: selectFeedEnd(center.id),
        madeFrom: undefined,
        present: (rows) => presentFeed(feedEnd(center.id, rows), question, length),
      }
    }
    const isPart = kinds.length < FEED_KINDS.length || sessionId !== undefined
    const limit = isPart ? Math.max(length, SCANNED_MAX) : length
    return {
      needs,
      normalForm: JSON.stringify([values.after, kinds, sessionId, length]),
      cost: 1 + limit / SCANNED_MAX,
      statement: selectFeed(center.id, cursor, limit, sessionId),
      madeFrom: undefined,
      waitSeconds: wait,
      present: (rows) => presentFeed(feedAfter(center.id, cursor, limit, rows), question, length),
    }
  },
})

const needsOf = (kinds: readonly FeedKind[]): Need[] =>
  kinds.map((kind) => ({ scope: kind, what: `kinds=${kind}` }))

const FORGED: Problem = { parameter: 'after', message: NO_CURSOR }

/** What parameters ask together; only where they themselves were sent right. */
function combined(
  { kinds, sessionId, length, wait }: Values,
  sent: SentParameters<typeof parameters>,
): Problem[] {
  return [
    ...(length <= LENGTH_MAX
      ? []
      : [
          { parameter: 'length', message: `length ${length} is above the maximum of ${LENGTH_MAX} entries.` },
        ]),
    ...(sessionId !== undefined && kinds?.includes('orders')
      ? [{ parameter: 'kinds', message: 'An order is in no session: ask for orders without sessionId.' }]
      : []),
    ...(wait > 0 && !sent.has('after')
      ? [{ parameter: 'wait', message: 'wait needs after: without a cursor there is nothing to wait for.' }]
      : []),
  ]
}

/** @throws {ApiError} 400 for a cursor that was not made here, 410 for one that nothing can be read after */
function presentFeed(feed: Feed, question: FeedQuestion, length: number) {
  if (feed.outcome === 'forged') throw errors.invalidParameters([FORGED])
  if (feed.outcome === 'gone') throw errors.cursorGone(feed.why)
  const data = []
  let { cursor, more } = feed
  for (const note of feed.notes) {
    const entry = presentNote(note, question)
    if (entry === undefined) continue
    data.push(entry)
    if (data.length < length || note === feed.notes.at(-1)) continue
    cursor = note.cursor()
    more = true
    break
  }
  return {
    body: JSON.stringify({ data, cursor, more }),
    revision: feed.revision,
    records: { count: data.length, ids: data.flatMap(({ id }) => id ?? []) },
    isQuiet: data.length === 0 && !more,
  }
}
