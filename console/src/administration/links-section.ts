/** Links: secret URLs that each answer one saved query, for a spreadsheet, a calendar or a tablet. */
import { type ComponentChild, h } from 'preact'
import { useState } from 'preact/hooks'
import type { CenterKey, CenterLink } from '../../../client/src/index.ts'
import { addDays, writtenDay } from '../../../src/documents/days.ts'
import type { WordKey } from '../../../src/documents/words.ts'
import { useResource } from '../base/resource.ts'
import { language, person, serviceUrl, words } from '../base/signed-in.ts'
import { State } from '../frame/states.ts'
import { useAutofocus } from './autofocus.ts'
import { entries, entryButton, openButton, partShown } from './entries.ts'
import { AskRemoval, Field, KeyField, readersOf } from './fields.ts'
import { Ask, useAttempt } from './key-forms.ts'
import { dayOf, today } from './keys-to-review.ts'
import { Secret } from './new-secrets.ts'

interface LinksProps {
  readonly keys: readonly CenterKey[]
  onDone(text: string): void
}

const STATES: Readonly<Record<CenterLink['status'], WordKey>> = {
  active: 'linkActive',
  expired: 'linkExpired',
  revoked: 'linkRevoked',
  stopped: 'linkStopped',
}

export function LinksSection({ keys, onDone }: LinksProps): ComponentChild {
  const t = words.value
  const { me } = person.value!
  const [isAdding, setAdding] = useState(false)
  const [revoking, setRevoking] = useState<string>()
  const length = Math.min(100, me.center.maximumPageLength)
  const reader = useResource(
    // A key that was revoked stops its links.
    (sojourn, signal) => sojourn.administration.links({ length }, { signal }),
    [keys],
  )
  const reading = reader.state.value
  const links = reading.value
  return h('section', { class: 'block' }, [
    h('h2', { id: 'adm-links', tabIndex: -1 }, t('links')),
    h(State, { reading, reader }),
    entries(links?.data, {
      isFailed: reading.problem !== undefined,
      none: t('noLinks'),
      entry: (link) =>
        h('li', { key: link.id }, [
          h(Entry, { link, keys, onRevoke: () => setRevoking(link.id) }),
          revoking === link.id &&
            h(AskRemoval, {
              question: t('revokeAsks', { name: link.name }),
              action: t('revoke'),
              work: () => person.value!.sojourn.act('revoke-link', { link: link.id }),
              onCancel: () => setRevoking(undefined),
              onDone() {
                setRevoking(undefined)
                reader.refresh()
                onDone(t('linkRevokedNow', { name: link.name }))
              },
            }),
        ]),
    }),
    links && partShown(links),
    isAdding
      ? h(AddForm, { keys, onCancel: () => setAdding(false), onAdded: () => reader.refresh() })
      : openButton(t('addLink'), () => setAdding(true)),
  ])
}

interface EntryProps {
  readonly link: CenterLink
  readonly keys: readonly CenterKey[]
  onRevoke(): void
}

function Entry({ link, keys, onRevoke }: EntryProps): ComponentChild {
  const t = words.value
  const written = (day: string) => writtenDay(day, language.value)
  const { name, query, appId, status, expiresAt, requests, lastUsedOn, allowSensitive } = link
  const of = keys.find((key) => key.appId === appId)?.name ?? appId
  return h('div', { class: 'entry' }, [
    h('h3', null, name),
    h('p', { class: 'code' }, query),
    h('p', null, [
      status === 'active' ? t(STATES[status]) : h('b', { class: 'chg' }, t(STATES[status])),
      ` ${t('linkOfKey', { name: of })} ${t('linkEnds', { day: written(dayOf(expiresAt)) })}`,
    ]),
    h(
      'p',
      { class: 'soft' },
      lastUsedOn === null ? t('linkNeverUsed') : t('linkUsed', { n: requests, day: written(lastUsedOn) }),
    ),
    allowSensitive && h('p', { class: 'say chgd' }, h('b', null, t('linkShowsSensitive'))),
    h('p', { class: 'both no-print' }, entryButton(t('revoke'), name, onRevoke)),
  ])
}

/** What links are made for most often. Their days move with the calendar. */
const QUERIES = [
  ['linkPortions', 'meals', '/meals/portions?startDate=today&endDate=today%2B6&format=csv'],
  ['linkGuests', 'guests', '/guests?startDate=today&endDate=today&active=true&format=xlsx'],
  ['linkSessions', 'sessions', '/sessions.ics'],
  ['linkArrivals', 'guests', '/guests/arrivals.ics'],
] as const
const OWN = 'own'
const VALID_DAYS = 90

interface AddProps {
  readonly keys: readonly CenterKey[]
  onCancel(): void
  onAdded(): void
}

function AddForm({ keys, onCancel, onAdded }: AddProps): ComponentChild {
  const t = words.value
  const attempt = useAttempt()
  const first = useAutofocus<HTMLInputElement>()
  const readers = readersOf(keys)
  const [name, setName] = useState('')
  const [key, setKey] = useState(readers[0]?.appId ?? '')
  const [what, setWhat] = useState<string>('')
  const [own, setOwn] = useState('')
  const [expiresOn, setExpiresOn] = useState(addDays(today(), VALID_DAYS))
  const [allowSensitive, setSensitive] = useState(false)
  const [made, setMade] = useState<{ readonly url: string | null; readonly remarks: readonly string[] }>()
  if (made !== undefined) {
    return h(
      Secret,
      { title: t('linkReady', { name }), secret: made.url, about: 'link', onClose: onCancel },
      made.remarks.map((remark) => h('p', { class: 'say', lang: 'en' }, remark)),
    )
  }
  const scopes = readers.find(({ appId }) => appId === key)?.scopes ?? []
  const offered = QUERIES.filter(([, scope]) => scopes.includes(scope))
  const query = what === OWN ? own : what
  const submit = () =>
    attempt.run(
      () =>
        person.value!.sojourn.act('create-link', {
          key,
          name,
          query,
          language: null,
          expiresOn,
          allowedAddresses: [],
          allowSensitive,
        }),
      ({ url, remarks }) => {
        setMade({ url: url === null ? null : new URL(url, serviceUrl()).href, remarks })
        onAdded()
      },
    )
  return h(Ask, { onSubmit: submit, onCancel, action: t('addLink'), attempt }, [
    h(Field, { label: t('linkName'), value: name, set: setName, first, required: true, maxLength: 200 }),
    h(KeyField, {
      readers,
      value: key,
      set(next: string) {
        setKey(next)
        setWhat('')
      },
    }),
    h(Field, {
      label: t('linkShows'),
      value: what,
      set: setWhat,
      required: true,
      options: [
        ['', t('choose')],
        ...offered.map(([word, , path]) => [path, t(word)] as const),
        [OWN, t('linkOwn')],
      ],
    }),
    what === OWN &&
      h(Field, {
        label: t('linkQuery'),
        value: own,
        set: setOwn,
        required: true,
        maxLength: 2000,
        placeholder: '/guests?startDate=today&endDate=today+6&format=csv',
      }),
    h(Field, { label: t('linkEndsOn'), value: expiresOn, set: setExpiresOn, type: 'date', required: true }),
    h('label', { class: 'pick' }, [
      h('input', {
        type: 'checkbox',
        checked: allowSensitive,
        onChange: () => setSensitive(!allowSensitive),
      }),
      h('span', null, t('linkSensitive')),
    ]),
    h('p', { class: 'small soft' }, t('linkRules')),
  ])
}
