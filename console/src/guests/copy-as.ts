/** The question on the page, for other programs and other people. Never with the key. */
import { type ComponentChild, h } from 'preact'
import { useState } from 'preact/hooks'
import type { Field } from '../../../client/src/index.ts'
import { to } from '../base/routes.ts'
import { language, person, serviceUrl, words } from '../base/signed-in.ts'
import { Menu } from './menu.ts'
import { addressOf, type Question } from './question.ts'
import { asCurl, asLinkCommand, asTypeScript } from './told.ts'

export interface CopyAsProps {
  readonly question: Question
  readonly columns: readonly Field[]
}

export function CopyAs({ question, columns }: CopyAsProps): ComponentChild {
  const t = words.value
  const [said, say] = useState('')
  const told = { service: serviceUrl(), language: language.value, columns: columns.map(({ name }) => name) }
  const forms = [
    ['curl', () => asCurl(question, told)],
    ['TypeScript', () => asTypeScript(question, told)],
    [t('link'), () => new URL(to('guests', addressOf(question)), location.href).href],
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
          onClick: copy(() => asLinkCommand(question, person.value!.me.key.appId, told.columns)),
        },
        'sojourn links create',
      ),
    ]),
    h('p', { role: 'status', class: said === t('copied') ? 'soft' : 'code' }, said),
  ])
}
