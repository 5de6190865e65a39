/** Fields of the forms, and the question before something ends. */
import { type ComponentChild, h, type RefObject } from 'preact'
import type { CenterKey } from '../../../client/src/index.ts'
import { words } from '../base/signed-in.ts'
import { useFirst } from './first.ts'
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

interface RemovalProps {
  readonly question: string
  readonly action: string
  work(): Promise<unknown>
  onCancel(): void
  onDone(): void
}

export function AskRemoval({ question, action, work, onCancel, onDone }: RemovalProps): ComponentChild {
  const attempt = useAttempt()
  const first = useFirst<HTMLParagraphElement>()
  return h(
    Ask,
    { onSubmit: () => attempt.run(work, onDone), onCancel, action, attempt },
    h('p', { ref: first, tabIndex: -1 }, h('b', null, question)),
  )
}
