/** What is shown when a part of the console could not be loaded. */
import { type ComponentChild, h } from 'preact'
import { consoleUrl, words } from '../base/signed-in.ts'
import { checkVersion } from '../base/version.ts'

/** There is no connection, or the service no longer serves this version, which the banner says. */
export type WhyNotLoaded = 'offline' | 'same'

export const whyNotLoaded = async (): Promise<WhyNotLoaded> =>
  (await checkVersion(consoleUrl())) === 'offline' ? 'offline' : 'same'

export function NotLoaded({ why }: { readonly why: WhyNotLoaded }): ComponentChild {
  const t = words.value
  return h('p', { class: 'say bad', role: 'alert' }, [
    h('b', null, t(why === 'offline' ? 'noConnectionNow' : 'partNotLoaded')),
    ' ',
    h('button', { type: 'button', onClick: () => location.reload() }, t('reload')),
  ])
}
