/** Where a report is sent: each destination is a kind and a name. */
import { type ComponentChild, h } from 'preact'
import type { WebhookList } from '../../../client/src/index.ts'
import { words } from '../base/signed-in.ts'
import type { WordKey } from '../base/words.ts'
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

const EXAMPLES: Readonly<Record<PlaceKind, string>> = {
  mail: 'kitchen@example.org',
  folder: 'kitchen/day',
  printer: 'kitchen',
  webhook: '',
}

interface PlacesProps {
  readonly places: readonly Place[]
  readonly webhooks: WebhookList['data']
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
        onChange: ({ currentTarget: { value } }: { currentTarget: HTMLSelectElement }) => {
          if (isKind(value)) change({ kind: value, name: value === 'webhook' ? (webhooks[0]?.id ?? '') : '' })
        },
      },
      Object.entries(KINDS).map(([one, word]: [string, WordKey]) =>
        h('option', { value: one, selected: one === kind }, t(word)),
      ),
    ),
    kind === 'webhook' && webhooks.length === 0
      ? h('p', { class: 'soft' }, t('reportNoWebhooks'))
      : h(Field, {
          label: t(KINDS[kind]),
          value: name,
          set: (next) => change({ kind, name: next }),
          required: true,
          ...(kind === 'webhook'
            ? { options: webhooks.map((one) => [one.id, one.name] as const) }
            : { placeholder: EXAMPLES[kind], maxLength: 320 }),
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
