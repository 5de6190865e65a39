/** The question on the page, for other programs and other people. Never with the key. */
import { type ComponentChild, h } from 'preact'
import { useState } from 'preact/hooks'
import type { Field } from '../../../client/src/index.ts'
import { to } from '../base/routes.ts'
import { language, person, serviceUrl, words } from '../base/signed-in.ts'
import { Menu } from '../frame/menu.ts'
import { today } from '../kitchen/kitchen-reading.ts'
import { asCurl, asLinkCommand, asTypeScript } from './as-text.ts'
import { addressOf, type Question } from './question.ts'

export interface CopyAsProps {
  readonly question: Question
  readonly columns: readonly Field[]
}

export function CopyAs({ question, columns }: CopyAsProps): ComponentChild {
  const t = words.value
  const [said, say] = useState('')
  const shown = { service: serviceUrl(), language: language.value, columns: columns.map(({ name }) => name) }
  const forms = [
    ['curl', () => asCurl(question, shown)],
    ['TypeScript', () => asTypeScript(question, shown)],
    [t('link'), () => new URL(to('guests', addressOf(question, today())), location.href).href],
  ] as const
  const copy = (text: () => string) => () => {
    // Pages of plain http, other than this machine's own, have no clipboard.
    const written = navigator.clipboard?.writeText(text()) ?? Promise.reject(new Error('no clipboard'))
    written.then(
      () => say(t('copied')),
      () => say(text()),
    )
  }
  return h(Menu, { title: t('copyAs') }, [
    h(
      'div',
      { class: 'stack' },
      forms.map(([name, text]) => h('button', { type: 'button', onClick: copy(text) }, name)),
    ),
    h('p', { class: 'small soft' }, t('forAdministrator')),
    h('div', { class: 'stack' }, [
      h(
        'button',
        {
          type: 'button',
          onClick: copy(() => asLinkCommand(question, person.value!.me.key.appId, shown.columns)),
        },
        'sojourn links create',
      ),
    ]),
    h('p', { role: 'status', class: said === t('copied') ? 'soft' : 'code' }, said),
  ])
}
