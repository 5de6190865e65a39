/** A sentence about the parts of an address that a page does not understand. */
import { type ComponentChild, h } from 'preact'
import { words } from '../base/signed-in.ts'

export function NotUnderstood({ parts }: { readonly parts: readonly string[] }): ComponentChild {
  const t = words.value
  if (parts.length === 0) return null
  return h('div', { class: 'say bad', role: 'alert' }, [
    h('b', null, t('addressNotUnderstood')),
    ' ',
    h('span', { class: 'code' }, parts.join(', ')),
    h('p', null, t('addressShownInstead')),
  ])
}
