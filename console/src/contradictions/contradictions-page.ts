/** What does not fit between records, before the guest arrives: by kind, with what was compared, and what was decided. */
import { type ComponentChild, h } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { KINDS, type Severity } from '../../../src/documents/contradiction-kinds.ts'
import type { Names } from '../../../src/documents/evidence-text.ts'
import { numberText } from '../../../src/documents/numbers.ts'
import type { WordKey } from '../../../src/documents/words.ts'
import { notUnderstood } from '../base/address.ts'
import { browserClock } from '../base/clock.ts'
import type { PageProps } from '../base/page.ts'
import { isOver } from '../base/problem.ts'
import type { Reading } from '../base/reading.ts'
import { useResource } from '../base/resource.ts'
import { language, may, person, words } from '../base/signed-in.ts'
import { useTitle } from '../base/title.ts'
import { DataAge, DataFoot } from '../frame/data-age.ts'
import { NotUnderstood } from '../frame/not-understood.ts'
import { State } from '../frame/states.ts'
import { SCOPES } from '../key/scope-words.ts'
import { Entry } from './contradiction-entry.ts'
import { type Contradictions, readContradictions, withheldNumber } from './contradictions-reading.ts'
import type { DecisionProps } from './decision.ts'
import { readNames } from './evidence-names.ts'

const PAGE_ROWS = 100
/** While not everything is evaluated: usually for less than a second, after a large import for longer. */
const AGAIN_MS = 5000
const AGAIN_MAX_MS = 60_000

const SEVERITY_WORDS: Readonly<Record<Severity, WordKey>> = {
  high: 'severityHigh',
  medium: 'severityMedium',
  low: 'severityLow',
}

export function ContradictionsPage({ query }: PageProps): ComponentChild {
  const t = words.value
  const { me } = person.value!
  const [pages, setPages] = useState(1)
  const [name, setName] = useState('')
  const [said, say] = useState<WordKey>()
  const notice = useRef<HTMLParagraphElement>(null)
  useEffect(() => notice.current?.focus(), [said])
  const length = Math.min(PAGE_ROWS, me.center.maximumPageLength)
  const reader = useResource(
    async (sojourn, signal) => {
      const list = await readContradictions(sojourn, { length, pages }, signal)
      const all = [...list.groups.flatMap(({ entries }) => entries), ...list.dismissed.entries]
      return { ...list, names: await readNames(sojourn, all, { length, mayRead: may }, signal) }
    },
    [pages],
  )
  const reading = useLastKnown(reader.state.value)
  const found = reading.value
  useReadAgain(found, reader.refresh)
  useTitle(t('contradictions'))
  const decision = {
    name,
    onName: setName,
    onDone(word: WordKey) {
      say(undefined)
      // Said again also if it is the same as before.
      queueMicrotask(() => say(word))
      reader.refresh()
    },
  }
  return h('div', null, [
    h('div', { class: 'head' }, [
      h('div', null, [h('h1', null, t('contradictions')), h('p', { class: 'sub' }, me.center.name)]),
      h(
        'div',
        { class: 'acts' },
        h(
          'button',
          { type: 'button', class: 'btn', disabled: found === undefined, onClick: () => globalThis.print() },
          t('print'),
        ),
      ),
    ]),
    h(NotUnderstood, { parts: notUnderstood(query, {}) }),
    h(State, { reading, reader }),
    said &&
      h(
        'p',
        {
          class: said === 'contradictionIsOther' ? 'say bad' : 'say',
          role: 'alert',
          tabIndex: -1,
          ref: notice,
        },
        h('b', null, t(said)),
      ),
    found && h(Found, { found, decision, onMore: () => setPages(pages + 1) }),
    h(DataFoot, { reading, kind: 'bookings' }, may('orders') && h(DataAge, { kind: 'orders' })),
  ])
}

/** What was listed stays while more is read, unless the key may not read it any more. */
function useLastKnown(reading: Reading<Shown>): Reading<Shown> {
  const last = useRef(reading)
  const { problem } = reading
  if (reading.value !== undefined || (problem !== undefined && isOver(problem))) last.current = reading
  return { ...reading, value: last.current.value, asOf: last.current.asOf }
}

/** That everything is evaluated is no change of a record, so the page asks, less often each time. */
function useReadAgain(found: Contradictions | undefined, refresh: () => void): void {
  const times = useRef(0)
  useEffect(() => {
    if (found === undefined || found.complete) {
      times.current = 0
      return
    }
    times.current += 1
    return browserClock.after(Math.min(AGAIN_MAX_MS, AGAIN_MS * 2 ** (times.current - 1)), refresh)
  }, [found])
}

interface Shown extends Contradictions {
  readonly names: Names
}

interface FoundProps {
  readonly found: Shown
  readonly decision: Omit<DecisionProps, 'of'>
  onMore(): void
}

function Found({ found, decision, onMore }: FoundProps): ComponentChild {
  const t = words.value
  const { groups, open, dismissed, complete, hasMore, withheld, names } = found
  const none = noneOf(found)
  // It is not known that there is none.
  const isUnknown = open === 0 && (none === 'contradictionsNoneYet' || none === 'contradictionsNotPermitted')
  const hidden = withheldNumber(withheld)
  const entries = groups.flatMap((group) => group.entries).length
  const n = (count: number) => numberText(count, language.value)
  return h('div', { class: 'contras' }, [
    h('div', { class: 'count' }, [
      h('span', null, h('b', null, t('contradictionsOpen', { n: isUnknown ? '–' : n(open) }))),
      h(
        'span',
        null,
        t('contradictionsDismissed', { n: isUnknown && dismissed.total === 0 ? '–' : n(dismissed.total) }),
      ),
      hidden !== 0 &&
        h('span', null, t('contradictionsWithheld', { n: hidden === undefined ? '–' : n(hidden) })),
    ]),
    h(
      'p',
      { class: complete ? 'soft' : 'say chgd', role: 'status' },
      complete ? t('contradictionsEvaluated') : h('b', null, t('contradictionsIncomplete')),
    ),
    open === 0 && h('p', { class: 'say' }, h('b', null, t(none))),
    groups.map(({ kind, total, entries }) =>
      h('section', { class: 'block', key: kind }, [
        h('h2', null, [
          t(KINDS[kind].name),
          ' ',
          h('span', { class: 'then' }, `${n(total)} · ${t(SEVERITY_WORDS[KINDS[kind].severity])}`),
        ]),
        entries.length < total && h(Listed, { listed: entries.length, total }),
        h(
          'ul',
          null,
          entries.map((of) => h(Entry, { of, names, ...decision, key: of.id })),
        ),
      ]),
    ),
    dismissed.total > 0 &&
      h('section', { class: 'block', key: 'dismissed' }, [
        h('h2', null, t('contradictionsDismissed', { n: n(dismissed.total) })),
        dismissed.entries.length < dismissed.total &&
          h(Listed, { listed: dismissed.entries.length, total: dismissed.total }),
        h(
          'ul',
          null,
          dismissed.entries.map((of) => h(Entry, { of, names, ...decision, key: of.id })),
        ),
      ]),
    hasMore &&
      h('div', { class: 'count' }, [
        h(Listed, { listed: entries + dismissed.entries.length, total: open + dismissed.total }),
        h('button', { type: 'button', class: 'no-print', onClick: onMore }, t('contradictionsMore')),
      ]),
    h(Withheld, { found }),
  ])
}

/** None, none that the key may see, none yet, and not permitted are four things. */
function noneOf({ withheld, notReported, complete }: Contradictions): WordKey {
  if (withheld.length > 0 && withheld.length + notReported.length === Object.keys(KINDS).length)
    return 'contradictionsNotPermitted'
  if (!complete) return 'contradictionsNoneYet'
  return withheld.length > 0 ? 'contradictionsNoneReadable' : 'contradictionsNone'
}

const Listed = ({ listed, total }: { readonly listed: number; readonly total: number }): ComponentChild =>
  h('p', { class: 'soft' }, words.value('contradictionsListed', { n: listed, total }))

/** What is not here: kinds that the key may not read, with their numbers, and kinds that the center has switched off. */
function Withheld({ found: { withheld, notReported } }: Pick<FoundProps, 'found'>): ComponentChild {
  const t = words.value
  const n = (count: number | null | undefined) =>
    typeof count === 'number' ? numberText(count, language.value) : '–'
  const all = withheldNumber(withheld)
  return [
    withheld.length > 0 &&
      h('section', { class: 'block', key: 'withheld' }, [
        h('h2', null, t('contradictionsWithheld', { n: n(all) })),
        h('table', { class: 'lines withheld' }, [
          h('caption', { class: 'vh' }, t('contradictionsWithheld', { n: n(all) })),
          h(
            'tbody',
            null,
            withheld.map(({ kind, count, scopes }) =>
              h('tr', { key: kind }, [
                h('th', { scope: 'row' }, t(KINDS[kind].name)),
                h('td', { class: 'num' }, n(count)),
                h('td', null, [
                  `${t('contradictionsMissing')} `,
                  ...scopes.flatMap((scope, at) => [
                    at > 0 && ' · ',
                    `${t(SCOPES[scope])} `,
                    h('span', { class: 'code soft' }, scope),
                  ]),
                ]),
              ]),
            ),
          ),
        ]),
      ]),
    notReported.length > 0 &&
      h(
        'p',
        { class: 'soft', key: 'notReported' },
        t('contradictionsNotReported', { list: notReported.map((kind) => t(KINDS[kind].name)).join(', ') }),
      ),
  ]
}
