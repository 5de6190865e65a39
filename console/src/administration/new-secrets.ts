/** A new key with its secret, which is shown this once and stored nowhere. */
import { type ComponentChild, type ComponentChildren, h } from 'preact'
import { useState } from 'preact/hooks'
import { words } from '../base/signed-in.ts'
import { useAutofocus } from './autofocus.ts'

export interface Made {
  readonly appId: string
  readonly publicKey: string
  readonly secretKey: string | null
  readonly apiKey: string | null
}

interface ReadyProps {
  readonly made: Made
  readonly name: string
  onClose(): void
}

export function Ready({ made, name, onClose }: ReadyProps): ComponentChild {
  const t = words.value
  return h(
    Secret,
    { title: t('keyReady', { name }), secret: made.apiKey, onClose },
    h('details', null, [
      h('summary', null, t('asHeaders')),
      h('dl', { class: 'code' }, [
        h('dt', null, 'X-API-APP-ID'),
        h('dd', null, made.appId),
        h('dt', null, 'X-API-PUBLIC-KEY'),
        h('dd', null, made.publicKey),
        h('dt', null, 'X-API-SECRET-KEY'),
        h('dd', null, made.secretKey),
      ]),
    ]),
  )
}

interface SecretProps {
  readonly title: string
  /** null if it was shown before */
  readonly secret: string | null
  /** a key unless said otherwise */
  readonly about?: 'key' | 'link'
  readonly children?: ComponentChildren
  onClose(): void
}

const WORDS = {
  key: {
    once: 'secretOnce',
    copy: 'copyKey',
    copied: 'keyCopied',
    stored: 'secretStored',
    lost: 'secretLost',
  },
  link: { once: 'linkOnce', copy: 'copyLink', copied: 'copied', stored: 'close', lost: 'linkLost' },
} as const

export function Secret({ title, secret, about = 'key', children, onClose }: SecretProps): ComponentChild {
  const t = words.value
  const said = WORDS[about]
  const [outcome, say] = useState('')
  const first = useAutofocus<HTMLHeadingElement>()
  const copy = () => {
    // Pages of plain http, other than this machine's own, have no clipboard.
    const written = navigator.clipboard?.writeText(secret ?? '') ?? Promise.reject(new Error('no clipboard'))
    written.then(
      () => say(t(said.copied)),
      () => say(t('notCopied')),
    )
  }
  return h('div', { class: 'ready' }, [
    h('h3', { tabIndex: -1, ref: first }, title),
    secret === null
      ? h('p', { class: 'say bad' }, h('b', null, t(said.lost)))
      : [h('p', null, t(said.once)), h('p', { class: 'once code' }, secret), children],
    h('p', { class: 'both' }, [
      secret !== null && h('button', { type: 'button', class: 'first', onClick: copy }, t(said.copy)),
      h('button', { type: 'button', onClick: onClose }, t(said.stored)),
    ]),
    h('p', { role: 'status', class: 'soft' }, outcome),
  ])
}
