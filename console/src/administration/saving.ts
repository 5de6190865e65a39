/** A section of the settings with a form that saves them. */
import { type ComponentChild, type ComponentChildren, h } from 'preact'
import type { CenterSettings } from '../../../client/src/index.ts'
import { person, words } from '../base/signed-in.ts'
import { useAttempt, Wrong } from './key-forms.ts'

export interface SettingsProps {
  readonly of: CenterSettings
  /** after something was saved */
  onSaved(): void
}

interface SavingProps {
  readonly id: string
  readonly title: string
  /** does the action */
  save(): Promise<unknown>
  onSaved(): void
  readonly children?: ComponentChildren
}

/** A section with a form that is always open. */
export function Saving({ id, title, save, onSaved, children }: SavingProps): ComponentChild {
  const attempt = useAttempt()
  return h('section', { class: 'block', 'aria-labelledby': id }, [
    h('h2', { id }, title),
    h(
      'form',
      {
        class: 'decide',
        onSubmit(event: SubmitEvent) {
          event.preventDefault()
          attempt.run(save, onSaved)
        },
      },
      [
        children,
        h(
          'p',
          { class: 'both' },
          h('button', { type: 'submit', class: 'first', disabled: attempt.isBusy }, words.value('save')),
        ),
        h(Wrong, { problem: attempt.problem }),
      ],
    ),
  ])
}

export const change = (changes: Readonly<Record<string, unknown>>) =>
  person.value!.sojourn.act('set-center', { changes })

/** `a, b` as a list. */
export const listOf = (text: string): string[] =>
  text
    .split(',')
    .map((one) => one.trim())
    .filter((one) => one !== '')
