/** Who is notified of changes, whether the messages arrive, and a form for another receiver. */
import { type ComponentChild, h } from 'preact'
import { useState } from 'preact/hooks'
import type { Sojourn, WebhookList } from '../../../client/src/index.ts'
import type { WordKey } from '../../../src/documents/words.ts'
import { useResource } from '../base/resource.ts'
import { person, words } from '../base/signed-in.ts'
import { momentOf, State } from '../frame/states.ts'
import { SCOPES } from '../key/scope-words.ts'
import { useAutofocus } from './autofocus.ts'
import { entries, entryButton, openButton } from './entries.ts'
import { AskRemoval, Field } from './fields.ts'
import { Ask, useAttempt, Wrong } from './key-forms.ts'
import type { Keys } from './keys-reading.ts'
import { Secret } from './new-secrets.ts'

type Webhook = WebhookList['data'][number]
type Outcome = Webhook['deliveries'][number]['outcome']
type Granted = Keys['grants'][number]

const OUTCOMES: Readonly<Record<Outcome, WordKey>> = {
  delivered: 'outcomeDelivered',
  gone: 'outcomeGone',
  redirected: 'outcomeRedirected',
  refused: 'outcomeRefused',
  timeout: 'outcomeTimeout',
  unreachable: 'outcomeUnreachable',
  forbidden: 'outcomeForbidden',
}

/** Only these scopes have changes of their own. */
const OF_CHANGES: readonly Granted[] = [
  'guests',
  'guests.personal',
  'guests.medical',
  'guests.financial',
  'sessions',
  'orders',
  'meals',
  'contradictions',
  'sources',
]

interface WebhooksProps {
  readonly grants: readonly Granted[]
  onDone(text: string): void
}

export function WebhooksSection({ grants, onDone }: WebhooksProps): ComponentChild {
  const t = words.value
  const [isAdding, setAdding] = useState(false)
  const [removing, setRemoving] = useState<string>()
  const read = (sojourn: Sojourn, signal: AbortSignal) => sojourn.administration.webhooks({ signal })
  const reader = useResource(read, [])
  const reading = reader.state.value
  const webhooks = reading.value
  const done = (text: string) => {
    reader.refresh()
    onDone(text)
  }
  return h('section', { class: 'block' }, [
    h('h2', { id: 'adm-webhooks', tabIndex: -1 }, t('webhooks')),
    h(State, { reading, reader }),
    entries(webhooks, {
      isFailed: reading.problem !== undefined,
      none: t('noWebhooks'),
      entry: (of) =>
        h('li', { key: of.id }, [
          h(Entry, { of, onTested: () => reader.refresh(), onRemove: () => setRemoving(of.id) }),
          removing === of.id &&
            h(AskRemoval, {
              question: t('removeAsks', { name: of.name }),
              action: t('remove'),
              work: () => person.value!.sojourn.act('remove-webhook', { webhook: of.id }),
              onCancel: () => setRemoving(undefined),
              onDone() {
                setRemoving(undefined)
                done(t('webhookRemoved', { name: of.name }))
              },
            }),
        ]),
    }),
    isAdding
      ? h(AddForm, { grants, onCancel: () => setAdding(false), onAdded: () => reader.refresh() })
      : openButton(t('addWebhook'), () => setAdding(true)),
  ])
}

interface EntryProps {
  readonly of: Webhook
  onTested(): void
  onRemove(): void
}

function Entry({ of, onTested, onRemove }: EntryProps): ComponentChild {
  const t = words.value
  const attempt = useAttempt()
  const [tested, setTested] = useState('')
  const test = () =>
    attempt.run(
      () => person.value!.sojourn.act('test-webhook', { webhook: of.id }),
      ({ outcome, status }) => {
        setTested(outcome === null ? t('maybeDone') : t('tested', { outcome: outcomeText(outcome, status) }))
        onTested()
      },
    )
  return h('div', { class: 'entry' }, [
    h('h3', null, of.name),
    h('p', { class: 'code' }, of.url),
    h('p', { class: 'soft' }, of.scopes.join(', ')),
    h('p', null, stateText(of)),
    of.deliveries.length > 0 &&
      h('details', null, [
        h('summary', null, t('lastDeliveries')),
        h(
          'ul',
          null,
          of.deliveries.map(({ at, attempt: n, changes, outcome, status }) =>
            h('li', null, [
              h('time', { dateTime: at }, momentOf(at)),
              `: ${outcomeText(outcome, status)}; ${t('ofChanges', { n: changes })}; ${t('attempt', { number: n })}`,
            ]),
          ),
        ),
      ]),
    h('p', { class: 'both no-print' }, [
      entryButton(t('testWebhook'), of.name, test, attempt.isBusy),
      entryButton(t('remove'), of.name, onRemove),
    ]),
    h('p', { role: 'status' }, attempt.isBusy ? t('testing') : tested),
    h(Wrong, { problem: attempt.problem }),
  ])
}

const outcomeText = (outcome: Outcome, status: number | null): string =>
  status === null ? words.value(OUTCOMES[outcome]) : `${words.value(OUTCOMES[outcome])} (${status})`

/** Whether messages arrive, in a sentence. */
function stateText({ state, deliveredAt, failingSince, nextAttemptAt }: Webhook): ComponentChild {
  const t = words.value
  const last = deliveredAt === null ? t('neverDelivered') : t('deliveredAt', { time: momentOf(deliveredAt) })
  if (state === 'paused') return [h('b', { class: 'chg' }, t('webhookPaused')), ` ${last}`]
  if (state !== 'active') return [h('b', { class: 'chg' }, t('webhookStopped')), ` ${last}`]
  if (failingSince === null) return last
  const next = nextAttemptAt === null ? '' : ` ${t('nextAttempt', { time: momentOf(nextAttemptAt) })}`
  return [h('b', { class: 'chg' }, t('failingSince', { time: momentOf(failingSince) })), `${next} ${last}`]
}

interface AddProps {
  readonly grants: readonly Granted[]
  onCancel(): void
  onAdded(): void
}

function AddForm({ grants, onCancel, onAdded }: AddProps): ComponentChild {
  const t = words.value
  const attempt = useAttempt()
  const first = useAutofocus<HTMLInputElement>()
  const [name, setName] = useState('')
  const [url, setUrl] = useState('')
  const [scopes, setScopes] = useState<readonly Granted[]>([])
  const [secret, setSecret] = useState<{ readonly text: string | null }>()
  const offered = grants.filter((scope) => OF_CHANGES.includes(scope))
  if (secret !== undefined) {
    return h(Secret, { title: t('webhookReady', { name }), secret: secret.text, onClose: onCancel })
  }
  const submit = () =>
    attempt.run(
      () => person.value!.sojourn.act('add-webhook', { name, url, scopes: [...scopes] }),
      (answer) => {
        setSecret({ text: answer.secret })
        onAdded()
      },
    )
  return h(Ask, { onSubmit: submit, onCancel, action: t('addWebhook'), attempt }, [
    h(Field, { label: t('webhookName'), value: name, set: setName, first, required: true, maxLength: 200 }),
    h(Field, {
      label: t('webhookUrl'),
      value: url,
      set: setUrl,
      type: 'url',
      required: true,
      maxLength: 2000,
      placeholder: 'https://',
    }),
    h('fieldset', null, [
      h('legend', null, t('webhookScopes')),
      offered.map((scope) =>
        h('label', { class: 'pick' }, [
          h('input', {
            type: 'checkbox',
            checked: scopes.includes(scope),
            onChange: () =>
              setScopes(scopes.includes(scope) ? scopes.filter((one) => one !== scope) : [...scopes, scope]),
          }),
          h('span', null, [
            h('span', { class: 'code' }, scope),
            ' ',
            h('span', { class: 'soft' }, t(SCOPES[scope])),
          ]),
        ]),
      ),
    ]),
    h('p', { class: 'small soft' }, t('webhookRules')),
  ])
}
