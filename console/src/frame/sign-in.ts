/** The page before signing in: one key, stored in this tab, or on the device if that is chosen. */
import { type ComponentChild, h } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import type { WordKey, Words } from '../../../src/documents/words.ts'
import { intakeUrl, useIntakeKey } from '../base/intake-port.ts'
import type { CopyEnd } from '../base/remembered-device.ts'
import {
  copyWasDeleted,
  idle,
  isSigningIn,
  isTriedAgain,
  mayStay,
  refused,
  signIn,
  wasAccepted,
  wasSignedOut,
  words,
} from '../base/signed-in.ts'
import { FirstSteps } from './first-steps.ts'
import { LanguageChoice } from './language-choice.ts'
import { pageOf } from './pages.ts'
import { momentOf, sayProblem } from './states.ts'

const BEGINS = 'sjn_key_'

const DELETED: Readonly<Record<CopyEnd, WordKey>> = {
  noContact: 'copyDeleted',
  keyExpired: 'copyDeletedKey',
  clockWentBack: 'copyDeletedClock',
}

/** @param prepare loads the code and the styles that are needed after signing in */
export function SignIn({ prepare }: { readonly prepare: () => Promise<unknown> }): ComponentChild {
  const t = words.value
  const [key, setKey] = useState('')
  const [isShown, setShown] = useState(false)
  const [stays, setStays] = useState(false)
  const input = useRef<HTMLInputElement>(null)
  useEffect(() => {
    document.title = `${t('signIn')} · Sojourn`
    // From the top, wherever the page before it was scrolled to.
    input.current?.focus({ preventScroll: true })
    scrollTo(0, 0)
  }, [])
  // While the user types the key, the pages are loaded that most keys begin with.
  useEffect(() => {
    prepare().catch(() => {})
    for (const path of ['today', 'kitchen'])
      pageOf(path)
        ?.load()
        .catch(() => {})
  }, [])
  const problem = refused.value
  const submit = (event: Event) => {
    event.preventDefault()
    void signIn(key.trim(), stays)
      .then(() => (refused.value?.kind === 'forbidden' ? beginImport(key.trim()) : undefined))
      .then(() => input.current?.focus())
  }
  return h('main', { id: 'main', class: 'narrow' }, [
    h('h1', null, 'Sojourn'),
    h('p', { class: 'sub soft' }, t('whatItShows')),
    h(FirstSteps, null),
    wasSignedOut.value &&
      problem === undefined &&
      h('p', { role: 'status', class: 'say' }, h('b', null, t('wasSignedOut'))),
    problem && h('div', { id: 'refused', role: 'alert', class: 'say bad' }, refusal(t, problem)),
    copyWasDeleted.value !== undefined &&
      h('p', { role: 'status', class: 'say chgd' }, t(DELETED[copyWasDeleted.value])),
    h('form', { onSubmit: submit }, [
      h('div', { class: 'fl' }, [
        h('label', { for: 'key' }, t('apiKey')),
        h('input', {
          id: 'key',
          ref: input,
          type: isShown ? 'text' : 'password',
          autocomplete: 'current-password',
          spellcheck: false,
          required: true,
          'aria-invalid': problem?.kind === 'ended' || undefined,
          'aria-describedby': problem ? 'refused' : undefined,
          value: key,
          onInput: (event: Event) => {
            if (event.currentTarget instanceof HTMLInputElement) setKey(event.currentTarget.value)
          },
        }),
      ]),
      mayStay() && h(StayChoice, { stays, onChoice: setStays }),
      h('p', { class: 'acts' }, [
        h('button', { class: 'first', type: 'submit', disabled: isSigningIn.value }, t('signIn')),
        h(
          'button',
          { type: 'button', 'aria-pressed': isShown, onClick: () => setShown(!isShown) },
          t('showKey'),
        ),
      ]),
    ]),
    !stays && h('p', { class: 'soft' }, t('keyStays')),
    h('p', null, h(LanguageChoice, { isHidden: false })),
  ])
}

/** An intake key reads nothing, and opens the import page alone. */
async function beginImport(key: string): Promise<void> {
  if (intakeUrl() === undefined) return
  await useIntakeKey(key).then(
    () => {
      refused.value = undefined
      wasSignedOut.value = false
      idle.begin()
    },
    // What the service said of the key is true.
    () => {},
  )
}

/** Off unless it is chosen. */
function StayChoice({
  stays,
  onChoice,
}: {
  readonly stays: boolean
  onChoice(stays: boolean): void
}): ComponentChild {
  const t = words.value
  return h('label', { class: 'pick stay' }, [
    h('input', {
      type: 'checkbox',
      checked: stays,
      onChange: (event: Event) => {
        if (event.currentTarget instanceof HTMLInputElement) onChoice(event.currentTarget.checked)
      },
    }),
    h('span', null, [
      h('b', null, t('stayOnDevice')),
      h('span', null, `${t('stayOnDeviceMeans')} ${t('stayOnDeviceCopy')}`),
    ]),
  ])
}

function refusal(t: Words, problem: NonNullable<typeof refused.value>): ComponentChild {
  if (problem.kind === 'ended') {
    return h('b', null, wasAccepted.value ? t('keyEnded') : t('keyUnknown', { prefix: BEGINS }))
  }
  if (isTriedAgain.value) return sayProblem(t, problem)
  switch (problem.kind) {
    case 'offline':
      return h('b', null, t('noConnectionNow'))
    case 'limited':
      return h('b', null, t('limitedUntil', { time: momentOf(problem.againAt ?? problem.since) }))
    default:
      return sayProblem(t, problem)
  }
}
