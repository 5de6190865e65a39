/** A person decides that nothing is to be done about a contradiction, or takes that back. */
import { type ComponentChild, h } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { SojournError } from '../../../client/src/error.ts'
import type { Contradiction } from '../../../src/documents/contradiction-kinds.ts'
import type { WordKey } from '../../../src/documents/words.ts'
import { problemOf } from '../base/problem.ts'
import { person, words } from '../base/signed-in.ts'
import { sentence } from '../frame/states.ts'

const REASON_MAX = 500
const NAME_MAX = 200

export interface DecisionProps {
  readonly of: Contradiction
  /** the name that was given last on this page */
  readonly name: string
  onName(name: string): void
  /** after it was saved, or if it was about other values than those that were seen */
  onDone(said: WordKey): void
}

/** A button that opens the form. The form is about the values that it was opened with. */
export function Decision({ of, name, onName, onDone }: DecisionProps): ComponentChild {
  const t = words.value
  const [seen, see] = useState<string>()
  const opener = useRef<HTMLButtonElement>(null)
  const wasOpen = useRef(false)
  useEffect(() => {
    if (seen === undefined && wasOpen.current) opener.current?.focus()
    wasOpen.current = seen !== undefined
  }, [seen])
  if (seen === undefined) {
    return h(
      'button',
      { type: 'button', class: 'no-print', ref: opener, onClick: () => see(of.evidence.digest) },
      t(of.dismissed === null ? 'dismiss' : 'takeBack'),
    )
  }
  return h(DecisionForm, { of, seen, name, onName, onDone, onCancel: () => see(undefined) })
}

interface FormProps extends DecisionProps {
  /** digest of the values that the person has seen */
  readonly seen: string
  onCancel(): void
}

function DecisionForm({ of, seen, name, onName, onDone, onCancel }: FormProps): ComponentChild {
  const t = words.value
  const [reason, setReason] = useState('')
  const [wrong, setWrong] = useState('')
  const [isBusy, setBusy] = useState(false)
  const first = useRef<HTMLInputElement>(null)
  useEffect(() => first.current?.focus(), [])
  const isDismissal = of.dismissed === null
  const id = (part: string) => `${part}-${of.id}`
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    setBusy(true)
    setWrong('')
    const given = { contradiction: of.id, digest: seen, reason: isDismissal ? reason : null, name }
    person
      .value!.sojourn.act('dismiss-contradiction', given)
      .then(
        () => onDone(isDismissal ? 'contradictionDismissed' : 'contradictionTakenBack'),
        (error: unknown) => {
          if (error instanceof SojournError && error.code === 'NOT_FOUND') onDone('contradictionIsOther')
          else setWrong(wrongText(error))
        },
      )
      .finally(() => setBusy(false))
  }
  const input = (part: string, word: WordKey, value: string, max: number, set: (next: string) => void) =>
    h('div', { class: 'fl' }, [
      h('label', { for: id(part) }, t(word)),
      h('input', {
        id: id(part),
        ref: part === (isDismissal ? 'reason' : 'name') ? first : undefined,
        value,
        required: true,
        maxLength: max,
        // Only spaces are neither a reason nor a name.
        pattern: '.*\\S.*',
        autocomplete: 'off',
        onInput: (event: Event) => {
          if (event.currentTarget instanceof HTMLInputElement) set(event.currentTarget.value)
        },
      }),
    ])
  return h('form', { class: 'decide no-print', onSubmit: submit }, [
    isDismissal && h('p', { class: 'soft' }, t('dismissWhy')),
    isDismissal && input('reason', 'reason', reason, REASON_MAX, setReason),
    input('name', 'yourName', name, NAME_MAX, onName),
    h('p', { class: 'both' }, [
      h(
        'button',
        { type: 'submit', class: 'first', disabled: isBusy },
        t(isDismissal ? 'dismiss' : 'takeBack'),
      ),
      h('button', { type: 'button', onClick: onCancel }, t('cancel')),
    ]),
    wrong !== '' && h('p', { class: 'err', role: 'alert' }, wrong),
  ])
}

/** What a person can do about it. Unlike a page, the form does not try again by itself. */
function wrongText(error: unknown): string {
  const t = words.value
  const problem = problemOf(error, Date.now())
  const isSaid = problem.kind === 'refused' || problem.kind === 'forbidden' || problem.kind === 'ended'
  return isSaid ? sentence(t, problem) : t('contradictionNotSaved')
}
