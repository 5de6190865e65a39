/** What an installation says that has no keys yet: the two commands with which its first administrator begins. */
import { type ComponentChild, h } from 'preact'
import { words } from '../base/signed-in.ts'
import { FIRST_COMMANDS } from './first-commands.ts'

const isEmpty = (): boolean =>
  document.querySelector<HTMLMetaElement>('meta[name="sojourn-empty"]')?.content === 'true'

export function FirstSteps(): ComponentChild {
  const t = words.value
  if (!isEmpty()) return null
  return h('section', { class: 'say' }, [
    h('h2', null, t('firstAdminTitle')),
    h('p', null, t('firstAdminWhy')),
    h(
      'ol',
      null,
      FIRST_COMMANDS.map((command) => h('li', { key: command }, h('code', { class: 'code' }, command))),
    ),
    h('p', null, t('firstAdminThen')),
  ])
}
