/** What delivers data, when it is expected, who is written to when it does not come, and the log of imports. */
import { type ComponentChild, h } from 'preact'
import { useState } from 'preact/hooks'
import type { CenterKey, CenterSource, CenterSources } from '../../../client/src/index.ts'
import { numberText } from '../../../src/documents/numbers.ts'
import { intakeUrl } from '../base/intake-port.ts'
import { useResource } from '../base/resource.ts'
import { to } from '../base/routes.ts'
import { language, may, person, words } from '../base/signed-in.ts'
import { momentOf, State } from '../frame/states.ts'
import { CAUSE_WORDS, COUNT_WORDS, KIND_WORDS, OUTCOME_WORDS, WAY_WORDS } from '../sources/source-words.ts'
import { useAutofocus } from './autofocus.ts'
import { entries, entryButton, openButton } from './entries.ts'
import { AskRemoval, Field } from './fields.ts'
import { Ask, useAttempt } from './key-forms.ts'

interface SourcesProps {
  readonly keys: readonly CenterKey[]
  onDone(text: string): void
}

export function SourcesSection({ keys, onDone }: SourcesProps): ComponentChild {
  const t = words.value
  const [open, setOpen] = useState<{ readonly source: string; readonly act: 'set' | 'remove' }>()
  const [isWriting, setWriting] = useState(false)
  const reader = useResource((sojourn, signal) => sojourn.administration.sources({ signal }), [])
  const reading = reader.state.value
  const found = reading.value
  const close = () => setOpen(undefined)
  const done = (text: string) => {
    close()
    setWriting(false)
    reader.refresh()
    onDone(text)
  }
  return h('section', { class: 'block' }, [
    h('h2', { id: 'adm-sources', tabIndex: -1 }, t('importsAndSources')),
    h('p', null, [
      may('sources') && [h('a', { href: to('sources') }, t('sources')), ' '],
      h('a', { href: to('import') }, t('importTitle')),
      intakeUrl() === undefined &&
        h('span', { class: 'soft' }, ` ${t('importNoPort')} ${t('importNoPortHow')}`),
    ]),
    h(State, { reading, reader }),
    found === undefined
      ? reading.problem === undefined && h('p', { class: 'soft' }, t('loading'))
      : [
          entries(found.data, {
            isFailed: false,
            none: t('sourcesNone'),
            entry: (source) =>
              h('li', { key: source.name }, [
                h(Entry, { source, onAct: (act) => setOpen({ source: source.name, act }) }),
                open?.source === source.name &&
                  (open.act === 'set'
                    ? h(SetForm, { source, keys, onCancel: close, onDone: done })
                    : h(AskRemoval, {
                        question: t('removeSourceAsks', { name: source.name }),
                        action: t('remove'),
                        work: () => person.value!.sojourn.act('remove-source', { source: source.name }),
                        onCancel: close,
                        onDone: () => done(t('sourceWasRemoved', { name: source.name })),
                      })),
              ]),
          }),
          open?.source === ''
            ? h(SetForm, { source: undefined, keys, onCancel: close, onDone: done })
            : openButton(t('addSource'), () => setOpen({ source: '', act: 'set' })),
          h('h3', null, t('notices')),
          h(
            'p',
            null,
            found.addresses.length === 0
              ? t('noNotices')
              : t('noticesTo', { list: found.addresses.join(', ') }),
          ),
          isWriting
            ? h(AddressesForm, {
                addresses: found.addresses,
                onCancel: () => setWriting(false),
                onDone: done,
              })
            : openButton(t('setNotices'), () => setWriting(true)),
          h(Imports, { imports: found.imports, keys }),
        ],
  ])
}

interface EntryProps {
  readonly source: CenterSource
  onAct(act: 'set' | 'remove'): void
}

function Entry({ source, onAct }: EntryProps): ComponentChild {
  const t = words.value
  const { name, schedule, kinds, late, dueAt, problems } = source
  const newest = kinds
    .flatMap(({ receivedAt }) => receivedAt ?? [])
    .sort()
    .at(-1)
  return h('div', { class: 'entry' }, [
    h('h3', null, name),
    h('p', null, [
      `${t('sourceSchedule')}: `,
      // The schedule is in the words in which the center set it.
      schedule === null ? t('notAtAll') : h('span', { lang: 'en' }, schedule),
    ]),
    h('p', { class: 'soft' }, kinds.map(({ kind }) => t(KIND_WORDS[kind])).join(', ')),
    h('p', null, `${t('sourceReceived')}: ${newest === undefined ? t('sourceNever') : momentOf(newest)}`),
    late &&
      h(
        'p',
        { class: 'say bad' },
        h('b', null, t('sourceLate', { time: dueAt === null ? '–' : momentOf(dueAt) })),
      ),
    problems.length > 0 &&
      h(
        'ul',
        { class: 'problems' },
        problems.map(({ cause, kind, records, usual }) =>
          h(
            'li',
            { key: cause },
            t(CAUSE_WORDS[cause], {
              kind: kind === null ? '–' : t(KIND_WORDS[kind]),
              records: records ?? '–',
              usual: usual ?? '–',
            }),
          ),
        ),
      ),
    h('p', { class: 'both no-print' }, [
      entryButton(t('setSchedule'), name, () => onAct('set')),
      entryButton(t('remove'), name, () => onAct('remove')),
    ]),
  ])
}

type Kind = CenterSource['kinds'][number]['kind']
const KINDS = Object.keys(KIND_WORDS).filter((kind): kind is Kind => Object.hasOwn(KIND_WORDS, kind))

interface SetProps {
  /** undefined for a new one */
  readonly source: CenterSource | undefined
  readonly keys: readonly CenterKey[]
  onCancel(): void
  onDone(text: string): void
}

function SetForm({ source, keys, onCancel, onDone }: SetProps): ComponentChild {
  const t = words.value
  const attempt = useAttempt()
  const first = useAutofocus<HTMLInputElement>()
  const [name, setName] = useState(source?.name ?? '')
  const [schedule, setSchedule] = useState(source?.schedule ?? '')
  const [appId, setAppId] = useState(source?.appId ?? '')
  const before = source?.kinds.map(({ kind }) => kind) ?? []
  const [kinds, setKinds] = useState<readonly Kind[]>(before)
  const senders = keys.filter(({ intake }) => intake)
  const submit = () =>
    attempt.run(
      () =>
        person.value!.sojourn.act('set-source', {
          source: name,
          kinds: kinds.length === 0 ? null : [...kinds],
          schedule: schedule.trim() === '' ? null : schedule,
          application: appId === '' ? null : appId,
        }),
      () => onDone(t('sourceSet', { name })),
    )
  return h(Ask, { onSubmit: submit, onCancel, action: t('save'), attempt }, [
    source === undefined &&
      h(Field, { label: t('sourceName'), value: name, set: setName, first, required: true, maxLength: 64 }),
    h(Field, {
      label: t('sourceScheduleField'),
      value: schedule,
      set: setSchedule,
      ...(source !== undefined && { first }),
      maxLength: 500,
      placeholder: 'every night by 04:00',
    }),
    h('p', { class: 'small soft' }, [
      t('scheduleRules'),
      ' ',
      h(
        'span',
        { lang: 'en', class: 'code' },
        'hourly 06:00–22:00; every night by 04:00; every 2 hours on mon–fri',
      ),
    ]),
    h('fieldset', null, [
      h('legend', null, t('sourceRecords')),
      KINDS.map((kind) =>
        h('label', { class: 'pick' }, [
          h('input', {
            type: 'checkbox',
            checked: kinds.includes(kind),
            onChange: () =>
              setKinds(kinds.includes(kind) ? kinds.filter((one) => one !== kind) : [...kinds, kind]),
          }),
          h('span', null, t(KIND_WORDS[kind])),
        ]),
      ),
    ]),
    senders.length > 0 &&
      h(Field, {
        label: t('sourceSender'),
        value: appId,
        set: setAppId,
        options: [['', t('none')], ...senders.map((one) => [one.appId, one.name] as const)],
      }),
  ])
}

interface AddressesProps {
  readonly addresses: readonly string[]
  onCancel(): void
  onDone(text: string): void
}

function AddressesForm({ addresses, onCancel, onDone }: AddressesProps): ComponentChild {
  const t = words.value
  const attempt = useAttempt()
  const first = useAutofocus<HTMLInputElement>()
  const [text, setText] = useState(addresses.join(', '))
  const given = text
    .split(/[,;\s]+/)
    .map((one) => one.trim())
    .filter((one) => one !== '')
  const submit = () =>
    attempt.run(
      () => person.value!.sojourn.act('set-notice-addresses', { addresses: given }),
      () => onDone(t('noticesSet')),
    )
  return h(
    Ask,
    { onSubmit: submit, onCancel, action: t('save'), attempt },
    h(Field, {
      label: t('noticeAddresses'),
      value: text,
      set: setText,
      first,
      placeholder: 'office@example.org',
    }),
  )
}

interface ImportsProps {
  readonly imports: CenterSources['imports']
  readonly keys: readonly CenterKey[]
}

function Imports({ imports, keys }: ImportsProps): ComponentChild {
  const t = words.value
  if (imports.length === 0) return h('p', null, t('importLogNone'))
  return [
    h('h3', null, t('importLog')),
    h(
      'div',
      { class: 'scroll', tabIndex: 0, role: 'region', 'aria-label': t('importLog') },
      h('table', { class: 'lines deliveries' }, [
        h('caption', { class: 'vh' }, t('importLog')),
        h(
          'thead',
          null,
          h(
            'tr',
            null,
            (
              [
                'importWhen',
                'importSource',
                'sourceWay',
                'importBy',
                'sourceRecords',
                'importLeftOut',
                'importOutcome',
              ] as const
            ).map((word) => h('th', { scope: 'col' }, t(word))),
          ),
        ),
        h(
          'tbody',
          null,
          imports.map(({ import: id, at, source, way, publicKey, counts, rejected, outcome }) =>
            h('tr', { key: id }, [
              h('th', { scope: 'row' }, h('time', { dateTime: at }, momentOf(at))),
              h('td', null, source),
              h('td', null, t(WAY_WORDS[way])),
              h(
                'td',
                null,
                publicKey === null
                  ? '–'
                  : (keys.find((key) => key.publicKey === publicKey)?.name ??
                      h('span', { class: 'code' }, publicKey)),
              ),
              h(
                'td',
                null,
                counts.map((count) =>
                  h('div', null, [
                    `${t(KIND_WORDS[count.kind])}: `,
                    COUNT_WORDS.filter(([name]) => count[name] > 0)
                      .map(([name, word]) => t(word, { n: count[name] }))
                      .join(', ') || '0',
                  ]),
                ),
              ),
              h('td', { class: 'n' }, numberText(rejected, language.value)),
              h('td', null, t(OUTCOME_WORDS[outcome])),
            ]),
          ),
        ),
      ]),
    ),
    h('p', { class: 'small soft' }, t('importLogHow')),
  ]
}
