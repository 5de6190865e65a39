/** The page for whoever is not signed in: one key, kept in this tab. */
import { type ComponentChild, h } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { isSigningIn, isTriedAgain, refused, signIn, wasSignedOut, words } from '../base/signed-in.ts'
import type { Words } from '../base/words.ts'
import { LanguageChoice } from './bar.ts'
import { momentOf, sayProblem } from './states.ts'

const BEGINS = 'sjn_key_'

export function SignIn(): ComponentChild {
  const t = words.value
  const [key, setKey] = useState('')
  const [isShown, setShown] = useState(false)
  const input = useRef<HTMLInputElement>(null)
  useEffect(() => {
    document.title = `${t('signIn')} · Sojourn`
    input.current?.focus()
  }, [])
  const problem = refused.value
  const submit = (event: Event) => {
    event.preventDefault()
    void signIn(key.trim()).then(() => input.current?.focus())
  }
  return h('main', { id: 'main', class: 'narrow' }, [
    h('h1', null, 'Sojourn'),
    h('p', { class: 'sub soft' }, t('whatItShows')),
    wasSignedOut.value &&
      problem === undefined &&
      h('p', { role: 'status', class: 'say' }, h('b', null, t('wasSignedOut'))),
    problem && h('div', { id: 'refused', role: 'alert', class: 'say bad' }, refusal(t, problem)),
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
      h('p', { class: 'acts' }, [
        h('button', { class: 'first', type: 'submit', disabled: isSigningIn.value }, t('signIn')),
        h(
          'button',
          { type: 'button', 'aria-pressed': isShown, onClick: () => setShown(!isShown) },
          t('showKey'),
        ),
      ]),
    ]),
    h('p', { class: 'soft' }, t('keyStays')),
    h('p', null, h(LanguageChoice, { isHidden: false })),
  ])
}

function refusal(t: Words, problem: NonNullable<typeof refused.value>): ComponentChild {
  if (problem.kind === 'ended') return h('b', null, t('keyUnknown', { prefix: BEGINS }))
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
