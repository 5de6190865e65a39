/** Asks for the key of the intake port. It stays in this tab, as the console's own. */
import { type ComponentChild, h } from 'preact'
import { useState } from 'preact/hooks'
import { useIntakeKey } from '../base/intake-port.ts'
import { words } from '../base/signed-in.ts'
import { sayFailure } from './failure.ts'

export function IntakeKeyForm(): ComponentChild {
  const t = words.value
  const [key, setKey] = useState('')
  const [failure, setFailure] = useState('')
  const [isTrying, setTrying] = useState(false)
  const submit = (event: Event) => {
    event.preventDefault()
    setTrying(true)
    useIntakeKey(key.trim())
      .catch((error) => setFailure(sayFailure(error)))
      .finally(() => setTrying(false))
  }
  return h('div', { class: 'import narrow' }, [
    h('h1', null, t('importTitle')),
    h('p', { class: 'g1 soft' }, t('importKeyWhy')),
    failure !== '' &&
      h('p', { class: 'say bad g2', role: 'alert', id: 'key-refused' }, h('b', null, failure)),
    h('form', { onSubmit: submit }, [
      h('div', { class: 'fl' }, [
        h('label', { for: 'intake-key' }, t('importKey')),
        h('input', {
          id: 'intake-key',
          type: 'password',
          autocomplete: 'off',
          spellcheck: false,
          required: true,
          value: key,
          'aria-invalid': failure !== '' || undefined,
          'aria-describedby': failure === '' ? undefined : 'key-refused',
          onInput: (event: Event) => {
            if (event.currentTarget instanceof HTMLInputElement) setKey(event.currentTarget.value)
          },
        }),
      ]),
      h(
        'p',
        { class: 'acts start' },
        h('button', { class: 'first', type: 'submit', disabled: isTrying }, t('importUseKey')),
      ),
    ]),
  ])
}
