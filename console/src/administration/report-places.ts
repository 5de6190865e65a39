/** Where a report is sent: each destination is a kind and a name. */
import { type ComponentChild, h } from 'preact'
import type { WebhookList } from '../../../client/src/index.ts'
import type { WordKey } from '../../../src/documents/words.ts'
import type { Reader } from '../base/reading.ts'
import { words } from '../base/signed-in.ts'
import { State } from '../frame/states.ts'
import { Field, ListField } from './fields.ts'

const KINDS = { mail: 'toMail', folder: 'toFolder', printer: 'toPrinter', webhook: 'toWebhook' } as const
type PlaceKind = keyof typeof KINDS
const isKind = (text: string): text is PlaceKind => Object.hasOwn(KINDS, text)

export interface Place {
  readonly kind: PlaceKind
  readonly name: string
}

export const FIRST_PLACE: Place = { kind: 'mail', name: '' }
/** As many as the service takes. */
const PLACES_MAX = 10

/** `mail:kitchen@example.org`, as the service writes it. */
export const placeText = ({ kind, name }: Place): string => `${kind}:${name.trim()}`

const EXAMPLES = { mail: 'kitchen@example.org', folder: 'kitchen/day', printer: 'kitchen' }

interface PlacesProps {
  readonly places: readonly Place[]
  readonly webhooks: Reader<WebhookList['data']>
  set(next: readonly Place[]): void
}

export function PlacesField({ places, webhooks, set }: PlacesProps): ComponentChild {
  const t = words.value
  const fieldsOf = ({ kind, name }: Place, change: (next: Place) => void, label: string) => [
    h(
      'select',
      {
        'aria-label': label,
        value: kind,
        onChange: ({ currentTarget: { value } }: { currentTarget: HTMLSelectElement }) =>
          isKind(value) && change({ kind: value, name: '' }),
      },
      Object.entries(KINDS).map(([one, word]: [string, WordKey]) =>
        h('option', { value: one, selected: one === kind }, t(word)),
      ),
    ),
    kind === 'webhook'
      ? h(WebhookField, { webhooks, name, set: (next) => change({ kind, name: next }) })
      : h(Field, {
          label: t(KINDS[kind]),
          value: name,
          set: (next) => change({ kind, name: next }),
          required: true,
          placeholder: EXAMPLES[kind],
          maxLength: 320,
          ...(kind === 'mail' && { type: 'email' as const }),
        }),
  ]
  return h(ListField<Place>, {
    label: t('reportTo'),
    items: places,
    max: PLACES_MAX,
    another: { item: FIRST_PLACE, text: t('reportAddPlace') },
    nameOf: ({ kind, name }) => `${t(KINDS[kind])} ${name}`,
    fieldsOf,
    set,
  })
}

interface WebhookProps {
  readonly webhooks: Reader<WebhookList['data']>
  readonly name: string
  set(next: string): void
}

/** The choice of a webhook. Until they are read, it is unknown whether there are any. */
function WebhookField({ webhooks, name, set }: WebhookProps): ComponentChild {
  const t = words.value
  const reading = webhooks.state.value
  if (reading.value === undefined) {
    return [
      h(State, { reading, reader: webhooks }),
      reading.problem === undefined && h('p', { class: 'soft', role: 'status' }, t('loading')),
    ]
  }
  if (reading.value.length === 0) return h('p', { class: 'soft' }, t('reportNoWebhooks'))
  const options = [['', ''] as const, ...reading.value.map((one) => [one.id, one.name] as const)]
  return h(Field, { label: t(KINDS.webhook), value: name, set, required: true, options })
}
