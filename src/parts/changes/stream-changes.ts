/** `GET /changes/stream`: the entries of `GET /changes` as Server-Sent Events, as they happen. */
import { cursorParameter, identifierParameter } from '../../core/request/parameter-kinds.ts'
import { readParameters, refusalOf } from '../../core/request/parameters.ts'
import { defineStream } from '../../core/request/stream-operation.ts'
import { CHANGE_ENTRY_SCHEMA, FEED_KINDS } from './change-schema.ts'
import { questionParameters, readingOf, readQuestion, type SentCursor } from './question.ts'

/** Read and written together. They have 30 kB, which a slow client can read before its time limit. */
const ENTRIES_PER_PART = 100

const parameters = {
  after: cursorParameter({
    description:
      'A cursor, of `GET /changes` or of an event: the stream begins with what came after it. Without it, with what comes from now on. The header `Last-Event-ID` counts before it.',
  }),
  device: identifierParameter({
    description:
      'A name that the client makes up, such as a random number, where several devices use one key: each has its own stream, up to 25 in all. A new stream replaces the one with the same name.',
  }),
  ...questionParameters,
} as const

export const streamChanges = defineStream({
  name: 'streamChanges',
  summary: 'Follow what changes as a stream',
  description:
    'The entries of `GET /changes` as Server-Sent Events, each as soon as it is committed. The `id` of an event is the cursor after it: send the newest one as `Last-Event-ID` to continue after a disconnect, without gaps or repetitions. An event without data comes every 15 seconds and moves the `id` on. The last event is named `end` where the stream is ended because it may not go on, and holds an error; a stream that ends without one is to be opened again. An application has one stream at a time, or one for each `device`: a new one takes over.',
  paths: ['/changes/stream'],
  scope: 'any',
  oneOf: FEED_KINDS,
  dependsOn: ['key'],
  parameters,
  response: CHANGE_ENTRY_SCHEMA,

  parse(context, lastEventId) {
    const { values, problems } = readParameters(parameters, context.query)
    const sent: SentCursor =
      lastEventId === undefined
        ? { text: values.after, parameter: 'after' }
        : { text: lastEventId, parameter: 'Last-Event-ID' }
    const read = readQuestion(values, sent, context)
    const refusal = refusalOf([...problems, ...read.problems])
    if (refusal !== undefined) return { requiredScopes: read.requiredScopes, refusal }
    return {
      requiredScopes: read.requiredScopes,
      after: read.cursor === undefined ? undefined : sent.text,
      device: values.device,
      reading(after) {
        const { cursor } = readQuestion(values, { ...sent, text: after }, context)
        const { statement, cost, page } = readingOf(
          context.center,
          read.question,
          cursor,
          ENTRIES_PER_PART,
          sent.parameter,
        )
        return {
          statement,
          cost,
          present(rows) {
            const { entries, ...rest } = page(rows)
            return {
              ...rest,
              ids: entries.flatMap(({ entry }) => entry.id ?? []),
              events: entries.map(({ entry, cursor }) => ({
                cursor: cursor(),
                data: JSON.stringify(entry),
              })),
            }
          },
        }
      },
    }
  },
})
