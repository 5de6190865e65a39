/** What delivers the data: each source with its schedule, what is wrong, what was received when, and its newest deliveries. */
import { type ComponentChild, h } from 'preact'
import { useEffect } from 'preact/hooks'
import type { DataSource } from '../../../client/src/openapi.ts'
import { ageOf } from '../../../src/documents/data-age.ts'
import { notUnderstood } from '../base/address.ts'
import { browserClock } from '../base/clock.ts'
import { minute } from '../base/minute.ts'
import type { PageProps } from '../base/page.ts'
import { useResource } from '../base/resource.ts'
import { person, words } from '../base/signed-in.ts'
import { useTitle } from '../base/title.ts'
import { NotUnderstood } from '../frame/not-understood.ts'
import { Foot, momentOf, State } from '../frame/states.ts'
import { Deliveries } from './deliveries.ts'
import { CAUSE_WORDS, KIND_WORDS, type SourceProblem } from './source-words.ts'

/** A source becomes late without a change of a record, so no stream tells of it. */
const AGAIN_MS = 60_000

export function SourcesPage({ query }: PageProps): ComponentChild {
  const t = words.value
  const { me } = person.value!
  const reader = useResource((sojourn, signal) => sojourn.sources({ signal }), [])
  const reading = reader.state.value
  const sources = reading.value
  useTitle(t('sources'))
  useEffect(() => (reading.isReading ? undefined : browserClock.after(AGAIN_MS, reader.refresh)), [reading])
  return h('div', null, [
    h('div', { class: 'head' }, [
      h('div', null, [h('h1', null, t('sources')), h('p', { class: 'sub' }, me.center.name)]),
      h('div', { class: 'acts' }, [
        h(
          'button',
          {
            type: 'button',
            class: 'btn',
            disabled: sources === undefined,
            onClick: () => globalThis.print(),
          },
          t('print'),
        ),
      ]),
    ]),
    h(NotUnderstood, { parts: notUnderstood(query, {}) }),
    h(State, { reading, reader }),
    sources?.length === 0 && h('p', { class: 'say' }, h('b', null, t('sourcesNone'))),
    sources !== undefined && sources.length > 0 && h(Sources, { sources }),
    h(Foot, { reading }),
  ])
}

function Sources({ sources }: { readonly sources: readonly DataSource[] }): ComponentChild {
  const t = words.value
  const count = (is: (source: DataSource) => boolean) => sources.filter(is).length
  const unscheduled = count(({ schedule }) => schedule === null)
  return h('div', { class: 'sources' }, [
    h('div', { class: 'count' }, [
      h('span', null, h('b', null, t('sourcesCount', { n: sources.length }))),
      h('span', null, t('sourcesLate', { n: count(({ late }) => late) })),
      h('span', null, t('sourcesWithProblem', { n: count(({ problems }) => problems.length > 0) })),
      unscheduled > 0 && h('span', null, t('sourcesUnscheduled', { n: unscheduled })),
    ]),
    // Those that a person has to look at come first.
    sources
      .toSorted((a, b) => weightOf(b) - weightOf(a))
      .map((source) => h(OneSource, { source, key: source.name })),
  ])
}

const weightOf = ({ late, problems }: DataSource) => (late ? 2 : problems.length > 0 ? 1 : 0)

function OneSource({ source }: { readonly source: DataSource }): ComponentChild {
  const t = words.value
  const { name, schedule, problems } = source
  return h('section', { class: 'block' }, [
    h('h2', null, [
      name,
      schedule !== null && [
        ' ',
        // The schedule is in the words in which the center set it.
        h('span', { class: 'then' }, [`${t('sourceSchedule')}: `, h('span', { lang: 'en' }, schedule)]),
      ],
    ]),
    h(StateOf, { source }),
    problems.length > 0 &&
      h(
        'ul',
        { class: 'problems' },
        problems.map((problem) => h('li', { key: problem.cause }, problemText(problem))),
      ),
    h(Kinds, { source }),
    h(Deliveries, { source }),
  ])
}

/** Late, with a problem, in order, and not known are four things. */
function StateOf({
  source: { late, dueAt, problems, schedule },
}: {
  readonly source: DataSource
}): ComponentChild {
  const t = words.value
  if (schedule === null) return h('p', { class: 'soft' }, t('sourceUnscheduled'))
  const due = late || dueAt === null ? '' : ` ${t('sourceDue', { time: momentOf(dueAt) })}`
  const [kind, text] = late
    ? (['say bad', t('sourceLate', { time: dueAt === null ? '–' : momentOf(dueAt) })] as const)
    : problems.length > 0
      ? (['say chgd', t('sourceProblem')] as const)
      : ([undefined, t('sourceInOrder')] as const)
  return h('p', { class: kind }, [h('b', null, text), due])
}

function problemText({ cause, since, kind, records, usual }: SourceProblem): string {
  const t = words.value
  const fewer = {
    kind: kind === null ? '–' : t(KIND_WORDS[kind]),
    records: records ?? '–',
    usual: usual ?? '–',
  }
  return `${t(CAUSE_WORDS[cause], cause === 'fewer' ? fewer : {})} (${t('sourceSince', { time: momentOf(since) })})`
}

function Kinds({ source: { name, kinds } }: { readonly source: DataSource }): ComponentChild {
  const t = words.value
  if (kinds.length === 0) return null
  return h('table', { class: 'lines' }, [
    h('caption', { class: 'vh' }, `${name}: ${t('sourceReceived')}`),
    h(
      'thead',
      null,
      h('tr', null, [
        h('th', { scope: 'col' }, t('sourceRecords')),
        h('th', { scope: 'col' }, t('sourceReceived')),
        h('th', { scope: 'col' }, t('sourceSchedule')),
      ]),
    ),
    h(
      'tbody',
      null,
      kinds.map(({ kind, receivedAt, expected }) =>
        h('tr', { key: kind }, [
          h('th', { scope: 'row' }, t(KIND_WORDS[kind])),
          h(
            'td',
            null,
            receivedAt === null
              ? t('sourceNever')
              : t('sourceReceivedAgo', {
                  time: momentOf(receivedAt),
                  age: ageOf(Date.parse(receivedAt), minute.value),
                }),
          ),
          h('td', null, t(expected ? 'yes' : 'no')),
        ]),
      ),
    ),
  ])
}
