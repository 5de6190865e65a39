/** Where a report is sent: each destination is a kind and a name. */
import { type ComponentChild, h } from 'preact'
import type { WebhookList } from '../../../client/src/index.ts'
import { words } from '../base/signed-in.ts'
import type { WordKey } from '../base/words.ts'
import { Field } from './fields.ts'

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
  const change = (at: number, next: Partial<Place>) =>
    set(places.map((place, one) => (one === at ? { ...place, ...next } : place)))
  const kindChosen = (at: number, kind: string) => {
    if (isKind(kind)) change(at, { kind, name: kind === 'webhook' ? (webhooks[0]?.id ?? '') : '' })
  }
  return h('fieldset', { class: 'places' }, [
    h('legend', null, t('reportTo')),
    places.map(({ kind, name }, at) =>
      h('div', { key: at, class: 'place' }, [
        h(
          'select',
          { 'aria-label': `${t('reportTo')} ${at + 1}`, value: kind, onChange: chosen(at, kindChosen) },
          [
            Object.entries(KINDS).map(([one, word]: [string, WordKey]) =>
              h('option', { value: one, selected: one === kind }, t(word)),
            ),
          ],
        ),
        kind === 'webhook' && webhooks.length === 0
          ? h('p', { class: 'soft' }, t('reportNoWebhooks'))
          : h(Field, {
              label: t(KINDS[kind]),
              value: name,
              set: (next) => change(at, { name: next }),
              required: true,
              ...(kind === 'webhook'
                ? { options: webhooks.map((one) => [one.id, one.name] as const) }
                : { placeholder: EXAMPLES[kind], maxLength: 320 }),
              ...(kind === 'mail' && { type: 'email' as const }),
            }),
        places.length > 1 &&
          h('button', { type: 'button', onClick: () => set(places.filter((_, one) => one !== at)) }, [
            t('remove'),
            h('span', { class: 'vh' }, ` ${t(KINDS[kind])} ${name}`),
          ]),
      ]),
    ),
    places.length < PLACES_MAX &&
      h(
        'p',
        null,
        h('button', { type: 'button', onClick: () => set([...places, FIRST_PLACE]) }, t('reportAddPlace')),
      ),
  ])
}

const chosen = (at: number, set: (at: number, value: string) => void) => (event: Event) => {
  if (event.currentTarget instanceof HTMLSelectElement) set(at, event.currentTarget.value)
}
