/** Fields of the forms, and the question before something ends. */
import { type ComponentChild, h, type RefObject } from 'preact'
import type { CenterKey } from '../../../client/src/index.ts'
import { words } from '../base/signed-in.ts'
import { useAutofocus } from './autofocus.ts'
import { entryButton } from './entries.ts'
import { Ask, useAttempt } from './key-forms.ts'

interface FieldProps {
  readonly label: string
  readonly value: string
  set(next: string): void
  /** focused when the form opens */
  readonly first?: { readonly current: HTMLInputElement | null }
  readonly type?: 'date' | 'url' | 'time' | 'email'
  readonly required?: boolean
  readonly maxLength?: number
  readonly placeholder?: string
  /** values and what they are called; a list to choose from */
  readonly options?: readonly (readonly [value: string, text: string])[]
}

export function Field({ label, value, set, first, options, ...more }: FieldProps): ComponentChild {
  const read = (event: Event) => {
    if (event.currentTarget instanceof HTMLInputElement || event.currentTarget instanceof HTMLSelectElement)
      set(event.currentTarget.value)
  }
  return h('label', { class: 'fl' }, [
    label,
    options === undefined
      ? h('input', {
          ...(first && { ref: first as RefObject<HTMLInputElement> }),
          value,
          autocomplete: 'off',
          onInput: read,
          ...more,
        })
      : h(
          'select',
          { value, required: more.required ?? false, onChange: read },
          options.map(([one, text]) => h('option', { value: one, selected: one === value }, text)),
        ),
  ])
}

/** The keys for which links and reports are made: those that read. */
export const readersOf = (keys: readonly CenterKey[]): readonly CenterKey[] =>
  keys.filter(({ intake, scopes }) => !intake && !scopes.includes('administration'))

interface KeyProps extends Pick<FieldProps, 'value' | 'set'> {
  readonly readers: readonly CenterKey[]
}

/** The choice of the key whose rights something has. */
export const KeyField = ({ readers, ...more }: KeyProps): ComponentChild =>
  h(Field, {
    label: words.value('linkKey'),
    required: true,
    options: readers.map(({ appId, name }) => [appId, name] as const),
    ...more,
  })

interface ListProps<Item> {
  readonly label: string
  readonly hint?: string
  readonly items: readonly Item[]
  readonly max: number
  /** what another one begins with, and the text of the button that adds it */
  readonly another: { readonly item: Item; readonly text: string }
  nameOf(item: Item): string
  /** @param label the label of the list with the number of the item */
  fieldsOf(item: Item, change: (next: Item) => void, label: string): ComponentChild
  set(next: readonly Item[]): void
}

/** A list of one or more items, each with its fields and its removal. */
export function ListField<Item>({ items, set, another, ...list }: ListProps<Item>): ComponentChild {
  const t = words.value
  return h('fieldset', null, [
    h('legend', null, list.label),
    list.hint && h('p', { class: 'small soft' }, list.hint),
    items.map((item, at) =>
      h('div', { key: at, class: 'item' }, [
        list.fieldsOf(item, (next) => set(items.with(at, next)), `${list.label} ${at + 1}`),
        items.length > 1 && entryButton(t('remove'), list.nameOf(item), () => set(items.toSpliced(at, 1))),
      ]),
    ),
    items.length < list.max &&
      h(
        'p',
        null,
        h('button', { type: 'button', onClick: () => set([...items, another.item]) }, another.text),
      ),
  ])
}

interface RemovalProps {
  readonly question: string
  readonly action: string
  work(): Promise<unknown>
  onCancel(): void
  onDone(): void
}

export function AskRemoval({ question, action, work, onCancel, onDone }: RemovalProps): ComponentChild {
  const attempt = useAttempt()
  const first = useAutofocus<HTMLParagraphElement>()
  return h(
    Ask,
    { onSubmit: () => attempt.run(work, onDone), onCancel, action, attempt },
    h('p', { ref: first, tabIndex: -1 }, h('b', null, question)),
  )
}
