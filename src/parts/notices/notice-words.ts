/**
 * What a notice says: a subject and plain text for people, and the body of a message for webhooks. Names of sources, kinds,
 * times and counts only, never a value of a record.
 */
import { isoMoment } from '../../core/locale/dates.ts'
import { type Cause, type SourceState, WARNINGS } from '../../core/records/sources/evaluate-source.ts'
import { localMinute, problemWords } from '../../core/records/sources/source-words.ts'
import type { OpenProblemRow, ProblemKind } from './notices-sql.ts'

/** Of a source. One that fails and recovers each few minutes is not reported each time. */
export const NOTICES_A_DAY = 24

export interface NoticeCenter {
  readonly id: string
  readonly name: string | null
  readonly zone: string
}

export interface NoticeText {
  readonly subject: string
  readonly body: string
}

type Problem = Pick<OpenProblemRow, 'source' | 'kind' | 'causes' | 'began_at'>

/** The causes of a state that belong to a problem of this kind. */
export const causesOf = ({ problems }: SourceState, kind: ProblemKind): Cause[] => [
  ...new Set(
    problems
      .map(({ cause }) => cause)
      .filter((cause) => (kind === 'broken' ? !WARNINGS.has(cause) : cause === kind)),
  ),
]

const SUBJECTS: Readonly<Record<ProblemKind, (state: SourceState) => string>> = {
  broken: ({ late }) => (late ? 'data is late' : 'a delivery has a problem'),
  keyExpires: () => 'the key of the sender expires soon',
  rejectedLines: () => 'lines were rejected',
}

/**
 * The notice that a problem has begun.
 * @param isLast whether the next problems of this source within a day are not sent
 */
export function beginText(
  center: NoticeCenter,
  problem: Problem,
  state: SourceState,
  isLast: boolean,
): NoticeText {
  const { source, kind } = problem
  const sentences = state.problems
    .filter(({ cause }) => causesOf(state, kind).includes(cause))
    .map((one) => `- ${problemWords(one, state)}`)
  return {
    subject: `${nameOf(center)}: ${source}: ${SUBJECTS[kind](state)}`,
    body: lines([
      `${nameOf(center)}: the source "${source}" has had a problem since ${localMinute(center.zone, problem.began_at)}.`,
      '',
      ...sentences,
      '',
      ...factsOf(center, state),
      '',
      kind === 'broken'
        ? 'Answers and pages state how old the data is. You get one message when this is over.'
        : 'Data still arrives. You get one message when this is over.',
      ...(isLast
        ? [
            `This source has had ${NOTICES_A_DAY} problems within a day. Further ones of this day are not sent; "sojourn sources list" shows them.`,
          ]
        : []),
    ]),
  }
}

/** The notice that a problem is over. @param state undefined if the source was removed */
export function overText(
  center: NoticeCenter,
  problem: Problem & { readonly ended_at: number },
  state: SourceState | undefined,
): NoticeText {
  const { source, causes, began_at, ended_at } = problem
  const isExpected = state?.every !== undefined
  return {
    subject: `${nameOf(center)}: ${source}: ${isExpected ? 'in order again' : 'no longer expected'}`,
    body: lines([
      isExpected
        ? `${nameOf(center)}: the problem of the source "${source}" is over.`
        : `${nameOf(center)}: no deliveries of the source "${source}" are expected any more, so its problem is over.`,
      '',
      `It lasted from ${localMinute(center.zone, began_at)} to ${localMinute(center.zone, ended_at)}.`,
      `What was wrong: ${causes.join(', ')}. The page "How old the data is" of the documentation explains these names.`,
      ...(state === undefined ? [] : ['', ...factsOf(center, state)]),
    ]),
  }
}

function factsOf({ zone }: NoticeCenter, { source, kinds, expected, receivedAt }: SourceState): string[] {
  const shown = expected.length > 0 ? expected : kinds
  const received = shown.map((kind) => {
    const at = receivedAt.get(kind)
    return `${kind} ${at === undefined ? 'never' : localMinute(zone, at)}`
  })
  return [
    `Expected: ${shown.join(', ') || 'nothing'}${source.schedule === null ? '' : `, ${source.schedule}`}.`,
    ...(received.length === 0 ? [] : [`Last received: ${received.join(', ')}.`]),
    `Times are those of ${zone}.`,
  ]
}

const nameOf = ({ id, name }: NoticeCenter) =>
  name === null || name === '' || name === id ? id : `${name} (${id})`
const lines = (texts: readonly string[]) => `${texts.join('\n')}\n`

/** The body of the message that a problem has begun, in the form of the Standard Webhooks specification. */
export const beginEvent = (problem: Problem, state: SourceState, at: number): string =>
  JSON.stringify({
    type: problem.kind === 'broken' ? 'source.late' : 'source.warning',
    timestamp: isoMoment(at),
    data: {
      source: problem.source,
      kinds: state.expected,
      causes: problem.causes,
      since: isoMoment(problem.began_at),
      late: state.late,
      dueAt: state.dueAt === undefined ? null : isoMoment(state.dueAt),
      receivedAt: Object.fromEntries(
        state.expected.map((kind) => {
          const received = state.receivedAt.get(kind)
          return [kind, received === undefined ? null : isoMoment(received)]
        }),
      ),
    },
  })

/** The body of the message that a problem is over. */
export const overEvent = ({
  source,
  causes,
  began_at,
  ended_at,
}: Problem & { readonly ended_at: number }): string =>
  JSON.stringify({
    type: 'source.recovered',
    timestamp: isoMoment(ended_at),
    data: { source, causes, since: isoMoment(began_at), until: isoMoment(ended_at) },
  })
