/** What can be done with a key: describe it, give it new secrets, revoke it. Each asks first. */
import { type ComponentChild, type ComponentChildren, h } from 'preact'
import { useState } from 'preact/hooks'
import type { CenterKey } from '../../../client/src/index.ts'
import { type Problem, problemOf } from '../base/problem.ts'
import { person, words } from '../base/signed-in.ts'
import { sayProblem } from '../frame/states.ts'
import { useAutofocus } from './autofocus.ts'
import { type Made, Ready } from './new-secrets.ts'

const NAME_MAX = 200

export interface FormProps {
  readonly of: CenterKey
  onCancel(): void
  onDone(text: string): void
  /** the list has changed */
  onChanged(text: string): void
}

/** What is wrong with the last attempt, and whether one is under way. */
export function useAttempt(): {
  readonly isBusy: boolean
  readonly problem: Problem | undefined
  run<T>(work: () => Promise<T>, done: (result: T) => void): void
} {
  const [isBusy, setBusy] = useState(false)
  const [problem, setProblem] = useState<Problem>()
  return {
    isBusy,
    problem,
    run(work, done) {
      setBusy(true)
      setProblem(undefined)
      work()
        .then(done, (error: unknown) => setProblem(problemOf(error, Date.now())))
        .finally(() => setBusy(false))
    },
  }
}

/** Without an answer, it is unknown whether it was done. */
export function Wrong({ problem }: { readonly problem: Problem | undefined }): ComponentChild {
  const t = words.value
  if (problem === undefined) return null
  const isUnknown = problem.kind === 'offline' || problem.kind === 'failed'
  return h(
    'div',
    { class: 'err', role: 'alert' },
    sayProblem(t, problem, isUnknown ? t('maybeDone') : undefined),
  )
}

interface AskProps {
  readonly onSubmit: () => void
  readonly onCancel: () => void
  readonly action: string
  readonly attempt: ReturnType<typeof useAttempt>
  readonly children?: ComponentChildren
}

export function Ask({ onSubmit, onCancel, action, attempt, children }: AskProps): ComponentChild {
  const t = words.value
  return h(
    'form',
    {
      class: 'decide',
      onSubmit(event: SubmitEvent) {
        event.preventDefault()
        onSubmit()
      },
    },
    [
      children,
      h('p', { class: 'both' }, [
        h('button', { type: 'submit', class: 'first', disabled: attempt.isBusy }, action),
        h('button', { type: 'button', onClick: onCancel }, t('cancel')),
      ]),
      h(Wrong, { problem: attempt.problem }),
    ],
  )
}

const textOf = (event: Event): string =>
  event.currentTarget instanceof HTMLInputElement || event.currentTarget instanceof HTMLSelectElement
    ? event.currentTarget.value
    : ''

export function DescribeForm({ of, onCancel, onDone }: FormProps): ComponentChild {
  const t = words.value
  const [responsible, setResponsible] = useState(of.responsible ?? '')
  const [reviewOn, setReviewOn] = useState(of.reviewOn ?? '')
  const attempt = useAttempt()
  const first = useAutofocus<HTMLInputElement>()
  const submit = () =>
    attempt.run(
      () =>
        person.value!.sojourn.act('describe-key', {
          key: of.appId,
          responsible: responsible.trim() === '' ? null : responsible,
          reviewOn: reviewOn === '' ? null : reviewOn,
        }),
      () => onDone(t('keyDescribed', { name: of.name })),
    )
  return h(Ask, { onSubmit: submit, onCancel, action: t('save'), attempt }, [
    h('label', { class: 'fl' }, [
      t('responsible'),
      h('input', {
        ref: first,
        value: responsible,
        maxLength: NAME_MAX,
        autocomplete: 'off',
        onInput: (event: Event) => setResponsible(textOf(event)),
      }),
    ]),
    h('label', { class: 'fl' }, [
      t('reviewBy'),
      h('input', { type: 'date', value: reviewOn, onChange: (event: Event) => setReviewOn(textOf(event)) }),
    ]),
  ])
}

const OVERLAPS = [
  [0, 'notAtAll'],
  [24, 'aDay'],
  [168, 'aWeek'],
] as const

export function RotateForm({ of, onCancel, onChanged }: FormProps): ComponentChild {
  const t = words.value
  const [hours, setHours] = useState(24)
  const [made, setMade] = useState<Made>()
  const attempt = useAttempt()
  const first = useAutofocus<HTMLSelectElement>()
  // The list is read again afterwards: the old key may have left it, and the secret would leave with its row.
  const close = () => {
    onCancel()
    onChanged('')
  }
  if (made !== undefined) return h(Ready, { made, name: of.name, onClose: close })
  const submit = () =>
    attempt.run(
      () => person.value!.sojourn.act('rotate-key', { key: of.appId, overlapHours: hours }),
      setMade,
    )
  return h(Ask, { onSubmit: submit, onCancel, action: t('rotate'), attempt }, [
    h('p', null, t('rotateAsks', { name: of.name })),
    h('label', { class: 'fl' }, [
      t('oldWorks'),
      h(
        'select',
        { ref: first, value: String(hours), onChange: (event: Event) => setHours(Number(textOf(event))) },
        OVERLAPS.map(([n, word]) => h('option', { value: String(n), selected: n === hours }, t(word))),
      ),
    ]),
  ])
}

export function RevokeForm({ of, onCancel, onDone }: FormProps): ComponentChild {
  const t = words.value
  const attempt = useAttempt()
  const first = useAutofocus<HTMLParagraphElement>()
  const submit = () =>
    attempt.run(
      () => person.value!.sojourn.act('revoke-key', { key: of.publicKey }),
      () => onDone(t('keyRevoked', { name: of.name })),
    )
  return h(Ask, { onSubmit: submit, onCancel, action: t('revoke'), attempt }, [
    h('p', { ref: first, tabIndex: -1 }, h('b', null, t('revokeAsks', { name: of.name }))),
    h('p', { class: 'soft' }, t('revokeMeans')),
  ])
}
