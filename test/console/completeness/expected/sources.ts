/** What the page of sources must show: each source with its state, its problems, its kinds and its deliveries. */
import type { DataSource } from '../../../../client/src/openapi.ts'
import type { Fact } from '../facts.ts'
import { NOW } from '../random-center.ts'
import { all, type Expectation, type Expecting, fact } from './expecting.ts'

type Delivery = DataSource['deliveries'][number]
type Parts = Pick<Expecting, 'say' | 'written'>

const KINDS = {
  bookings: 'sourceBookings',
  customers: 'sourceCustomers',
  sessions: 'sessions',
  orders: 'orders',
  terms: 'sourceTerms',
} as const
const WAYS = { command: 'wayCommand', watch: 'wayWatch', intake: 'wayIntake' } as const
const OUTCOMES = { done: 'outcomeDone', refused: 'outcomeRefused', failed: 'outcomeFailed' } as const
const EFFECTS = [
  ['created', 'sourceNew'],
  ['changed', 'sourceChanged'],
  ['unchanged', 'sourceUnchanged'],
  ['removed', 'sourceRemoved'],
  ['older', 'sourceOlder'],
] as const

export const sources: Expectation = async ({ api, say, written }) => {
  const { data } = await api.get<{ data: DataSource[] }>('/sources')
  if (data.length === 0) return [all(fact('no source', [say('sourcesNone')]))]
  const count = (is: (source: DataSource) => boolean) => data.filter(is).length
  const unscheduled = count(({ schedule }) => schedule === null)
  return [
    all(
      fact('how many sources', [say('sourcesCount', { n: data.length })]),
      fact('how many are late', [say('sourcesLate', { n: count(({ late }) => late) })]),
      fact('how many have a problem', [
        say('sourcesWithProblem', { n: count(({ problems }) => problems.length > 0) }),
      ]),
      ...(unscheduled > 0
        ? [fact('how many have no schedule', [say('sourcesUnscheduled', { n: unscheduled })])]
        : []),
    ),
    ...data.flatMap((source) => {
      const { name, schedule, kinds, deliveries } = source
      return [
        all(fact('a source', [name, ...(schedule === null ? [] : [schedule])])),
        all(stateOf(source, { say, written })),
        all(...problemsOf(source, { say, written })),
        all(
          ...kinds.map(({ kind, receivedAt, expected }) =>
            fact(
              'a kind of data',
              [
                say(KINDS[kind]),
                receivedAt === null
                  ? say('sourceNever')
                  : say('sourceReceivedAgo', { time: written.localTime(receivedAt), age: ageOf(receivedAt) }),
                say(expected ? 'yes' : 'no'),
              ],
              [name],
            ),
          ),
        ),
        all(
          ...(deliveries.length === 0
            ? [fact('no delivery', [say('sourceNoDeliveries')], [name])]
            : deliveries.flatMap((delivery) => deliveryOf(name, delivery, { say, written }))),
        ),
      ]
    }),
  ]
}

function stateOf({ name, schedule, late, dueAt, problems }: DataSource, { say, written }: Parts): Fact {
  const due = dueAt === null ? '–' : written.localTime(dueAt)
  if (schedule === null) return fact('a source without a schedule', [say('sourceUnscheduled')], [name])
  if (late) return fact('that a source is late', sentence(say, 'sourceLate', due), [name])
  const next = dueAt === null ? [] : sentence(say, 'sourceDue', due)
  if (problems.length > 0) return fact('that a source has a problem', [say('sourceProblem'), ...next], [name])
  return fact('that a source has no problem', [say('sourceInOrder'), ...next], [name])
}

/** A sentence with a time, before which its day is written if it is another one. */
function sentence(say: Parts['say'], key: string, time: string): string[] {
  const [before = '', after = ''] = say(key, { time: '|' }).split('|')
  return [before.trim(), time, after.replace(/^[.\s]+/, '').trim()].filter(Boolean)
}

const problemsOf = ({ name, problems }: DataSource, { say, written }: Parts): Fact[] =>
  problems.map(({ cause, since, kind, records, usual }) => {
    const fewer = {
      kind: kind === null ? '–' : say(KINDS[kind]),
      records: records ?? '–',
      usual: usual ?? '–',
    }
    const text = say(`cause${cause.charAt(0).toUpperCase()}${cause.slice(1)}`, fewer)
    return fact('a problem', [text, ...sentence(say, 'sourceSince', written.localTime(since))], [name])
  })

/** A row, and each reason for which lines of it were rejected. */
function deliveryOf(
  name: string,
  { at, way, outcome, counts, rejected, causes, files, fileTime }: Delivery,
  { say, written }: Parts,
): Fact[] {
  return [
    fact(
      'a delivery',
      [
        written.localTime(at),
        say(WAYS[way]),
        say(OUTCOMES[outcome]),
        ...(counts.length === 0 ? [say('sourceNoRecords')] : []),
        ...counts.flatMap((one) => [
          say(KINDS[one.kind]),
          ...EFFECTS.flatMap(([effect, word]) => (one[effect] > 0 ? [say(word, { n: one[effect] })] : [])),
        ]),
        written.number(rejected),
        ...(files.length === 0 ? [say('sourceNoFile')] : []),
        ...(fileTime === null || files.length === 0
          ? []
          : sentence(say, 'sourceFileTime', written.localTime(fileTime))),
        ...files.flatMap(({ sha256, bytes }) => [say('sourceBytes', { n: bytes }), sha256.slice(0, 12)]),
      ],
      [name],
    ),
    // In the row whose letters the delivery has, so only that they are there.
    ...causes.map((cause) => fact('why lines were rejected', [`${cause.count} ×`, cause.message], [name])),
  ]
}

const HOUR_MS = 3_600_000

/** Every delivery is whole hours old. */
function ageOf(moment: string): string {
  const hours = (Date.parse(NOW) - Date.parse(moment)) / HOUR_MS
  return hours < 48 ? `${Math.floor(hours)} h` : `${Math.floor(hours / 24)} d`
}
