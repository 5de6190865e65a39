/** Several values of an enumeration, in a panel below a button that says which are chosen. */
import { type ComponentChild, h } from 'preact'
import { person, words } from '../base/signed-in.ts'
import { Menu } from '../frame/menu.ts'

interface ChoicesProps {
  readonly field: 'role' | 'status' | 'paid'
  readonly chosen: readonly string[]
  readonly onChoose: (values: readonly string[]) => void
}

/** Their labels come from the service, as in the table. */
export function Choices({ field, chosen, onChoose }: ChoicesProps): ComponentChild {
  const t = words.value
  const values = person.value?.fields.find(({ name }) => name === field)?.values ?? []
  const labels = values.filter(({ value }) => chosen.includes(value)).map(({ label }) => label)
  const toggle = (value: string) => () =>
    onChoose(chosen.includes(value) ? chosen.filter((one) => one !== value) : [...chosen, value])
  const title = t(field === 'paid' ? 'paidColumn' : field)
  return h('div', { class: 'fl', role: 'group', 'aria-label': title }, [
    h('span', { 'aria-hidden': true }, title),
    h(Menu, { title: labels.length === 0 ? t('all') : labels.join(', ') }, [
      values.map(({ value, label }) =>
        h('label', { key: value }, [
          h('input', { type: 'checkbox', checked: chosen.includes(value), onChange: toggle(value) }),
          h('span', null, label),
        ]),
      ),
    ]),
  ])
}
