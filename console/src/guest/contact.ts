/** How the guest is reached. A value that is not recorded, and one that the key may not read, are two things. */
import { type ComponentChild, h } from 'preact'
import { person, words } from '../base/signed-in.ts'
import { CONTACT, isReadable, type Stay, textAt } from './stays-reading.ts'

export function Contact({ stay }: { readonly stay: Stay }): ComponentChild {
  const t = words.value
  const label = (name: string) =>
    person.value?.fields.find((field) => field.name === name)?.label ?? t('address')
  const shown = CONTACT.filter(isReadable)
  const team = ['doctorName', 'therapistName'].filter((name) => textAt(stay, name) !== '')
  return h('section', { class: 'block' }, [
    h('h2', null, t('contact')),
    h(
      'dl',
      { class: 'bits' },
      [...shown, ...team].flatMap((name) => [
        h('dt', null, label(name)),
        h('dd', null, shownValue(stay, name)),
      ]),
    ),
  ])
}

const SCHEMES: Readonly<Record<string, string>> = { phone: 'tel:', secondaryPhone: 'tel:', email: 'mailto:' }

function shownValue(stay: Stay, name: string): ComponentChild {
  const text = textAt(stay, name)
  if (text === '') return h('span', { class: 'soft' }, words.value('noneOnRecord'))
  const scheme = SCHEMES[name]
  if (scheme === undefined) return text
  const target =
    scheme === 'tel:' ? text.replaceAll(/[^+\d]/g, '') : encodeURIComponent(text).replace('%40', '@')
  return h('a', { href: `${scheme}${target}` }, text)
}
