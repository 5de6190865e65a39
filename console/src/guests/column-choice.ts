/** Choosing columns: every field that the key may read, by what its scope opens, with a search. */
import { type ComponentChild, h } from 'preact'
import { useState } from 'preact/hooks'
import type { Field } from '../../../client/src/index.ts'
import type { WordKey } from '../../../src/documents/words.ts'
import { person, words } from '../base/signed-in.ts'
import { Menu } from '../frame/menu.ts'
import { COLUMNS_MAX, found, readable } from './columns.ts'

export interface ColumnChoiceProps {
  readonly columns: readonly Field[]
  readonly onChoose: (names: readonly string[]) => void
}

/** The center's own fields stand by themselves. */
const GROUPS: readonly (readonly [title: WordKey, holds: (field: Field) => boolean])[] = [
  ['scopeGuests', ({ scope, custom }) => scope === 'guests' && !custom],
  ['scopePersonal', ({ scope, custom }) => scope === 'guests.personal' && !custom],
  ['scopeMedical', ({ scope, custom }) => scope === 'guests.medical' && !custom],
  ['scopeFinancial', ({ scope, custom }) => scope === 'guests.financial' && !custom],
  ['scopePaid', ({ scope, custom }) => scope === 'guests.paid' && !custom],
  ['customFields', ({ custom }) => custom],
]

export function ColumnChoice({ columns, onChoose }: ColumnChoiceProps): ComponentChild {
  const t = words.value
  const [typed, setTyped] = useState('')
  const open = readable(person.value!.fields)
  const shown = found(open, typed)
  const chosen = columns.map(({ name }) => name)
  const toggle = (name: string) => () => {
    const next = chosen.includes(name) ? chosen.filter((one) => one !== name) : [...chosen, name]
    if (next.length > 0 && next.length <= COLUMNS_MAX) onChoose(next)
  }
  return h(Menu, { title: t('columns', { n: columns.length }) }, [
    h('input', {
      type: 'search',
      'aria-label': t('searchColumns', { n: open.length }),
      placeholder: t('searchColumns', { n: open.length }),
      value: typed,
      onInput: (event: Event) =>
        event.currentTarget instanceof HTMLInputElement && setTyped(event.currentTarget.value),
    }),
    shown.length === 0 && h('p', { class: 'soft' }, t('none')),
    GROUPS.map(([title, holds]) => {
      const fields = shown.filter(holds)
      return (
        fields.length > 0 &&
        h('fieldset', null, [
          h('legend', null, t(title)),
          fields.map(({ name, label }) =>
            h('label', { key: name }, [
              h('input', { type: 'checkbox', checked: chosen.includes(name), onChange: toggle(name) }),
              h('span', null, label),
            ]),
          ),
        ])
      )
    }),
    h(
      'p',
      { class: 'acts' },
      h('button', { type: 'button', onClick: () => onChoose([]) }, t('usualColumns')),
    ),
  ])
}
