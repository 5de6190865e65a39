/** Keys, devices, links, sources, reports, webhooks, and who read what: for a key of the administration, which reads no guest. */
import { type ComponentChild, h } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import type { WordKey } from '../../../src/documents/words.ts'
import { notUnderstood } from '../base/address.ts'
import type { PageProps } from '../base/page.ts'
import { useResource } from '../base/resource.ts'
import { to } from '../base/routes.ts'
import { ADMINISTRATION_MINUTES, person, words } from '../base/signed-in.ts'
import { useTitle } from '../base/title.ts'
import { NotUnderstood } from '../frame/not-understood.ts'
import { Foot, State } from '../frame/states.ts'
import { DevicesSection } from './devices-section.ts'
import { readKeys } from './keys-reading.ts'
import { KeysSection } from './keys-section.ts'
import { KeysToReview } from './keys-to-review.ts'
import { LinksSection } from './links-section.ts'
import { ReadsSection } from './reads-section.ts'
import { ReportsSection } from './reports-section.ts'
import { SourcesSection } from './sources-section.ts'
import { WebhooksSection } from './webhooks-section.ts'

/** In the order of the page. */
const PARTS = [
  ['adm-keys', 'keys'],
  ['adm-devices', 'devices'],
  ['adm-links', 'links'],
  ['adm-sources', 'importsAndSources'],
  ['adm-reports', 'reports'],
  ['adm-webhooks', 'webhooks'],
  ['adm-reads', 'whoReadWhat'],
] as const satisfies readonly (readonly [string, WordKey])[]

export function AdministrationPage({ query }: PageProps): ComponentChild {
  const t = words.value
  const { me } = person.value!
  const [said, say] = useState('')
  const notice = useRef<HTMLParagraphElement>(null)
  useEffect(() => {
    if (said !== '') notice.current?.focus()
  }, [said])
  const reader = useResource((sojourn, signal) => readKeys(sojourn, me.center.maximumPageLength, signal), [])
  const reading = reader.state.value
  const keys = reading.value
  const done = (text: string) => {
    say('')
    queueMicrotask(() => say(text))
    reader.refresh()
  }
  useTitle(t('administration'))
  return h('div', { class: 'administration' }, [
    h('div', { class: 'head' }, [
      h('div', null, [
        h('h1', null, [t('administration'), ' ', h('span', null, me.center.name)]),
        h('p', { class: 'sub' }, t('actionsOpen', { minutes: ADMINISTRATION_MINUTES, name: me.key.name })),
        h('nav', { class: 'days', 'aria-label': t('onThisPage') }, [
          PARTS.map(([id, word]) =>
            h('button', { type: 'button', class: 'plain', onClick: goTo(id) }, t(word)),
          ),
        ]),
      ]),
      h('div', { class: 'acts' }, [
        h('a', { class: 'btn', href: to('administration/new-key') }, t('newKey')),
        h('a', { class: 'btn', href: to('administration/settings') }, t('centerSettings')),
        h('button', { type: 'button', onClick: () => globalThis.print() }, t('print')),
      ]),
    ]),
    h(NotUnderstood, { parts: notUnderstood(query, {}) }),
    h(State, { reading, reader }),
    said !== '' && h('p', { class: 'say', role: 'alert', tabIndex: -1, ref: notice }, h('b', null, said)),
    keys && h(KeysToReview, { keys: keys.data }),
    h(KeysSection, { keys, onDone: done }),
    keys && [
      h(DevicesSection, { keys: keys.data, onDone: done }),
      h(LinksSection, { keys: keys.data, onDone: done }),
      h(SourcesSection, { keys: keys.data, onDone: done }),
      h(ReportsSection, { keys: keys.data, onDone: done }),
      h(WebhooksSection, { grants: keys.grants, onDone: done }),
    ],
    h(ReadsSection, { keys: keys?.data ?? [] }),
    h(Foot, { reading, isStill: true }, h('span', null, t('pageIsRecorded'))),
  ])
}

/** The part after `#` is the page, so a link within it moves the focus itself. */
const goTo = (id: string) => () => {
  const target = document.getElementById(id)
  target?.focus()
  target?.scrollIntoView()
}
