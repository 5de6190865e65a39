/** Instead of code that could not be loaded: nobody answers, or its address is that of a version that is no longer served. */
import { type ComponentChild, h } from 'preact'
import { words } from '../base/signed-in.ts'
import type { Version } from '../base/version.ts'

export function NotLoaded({ why }: { readonly why: Exclude<Version, 'new'> }): ComponentChild {
  const t = words.value
  return h('p', { class: 'say bad', role: 'alert' }, [
    h('b', null, t(why === 'offline' ? 'noConnectionNow' : 'partNotLoaded')),
    ' ',
    h('button', { type: 'button', onClick: () => location.reload() }, t('reload')),
  ])
}
