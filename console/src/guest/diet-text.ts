/** What is on record in a diet field of a guest. */
import { type ComponentChild, h } from 'preact'
import type { ListedGuest } from '../../../src/documents/portions.ts'
import { words } from '../base/signed-in.ts'
import { textOf, valueAt } from '../guests/values.ts'
import type { Stay } from './stays-reading.ts'

/** The value itself is always shown, so what the kitchen does not recognize is not hidden. */
export function dietText(
  field: string,
  guest: ListedGuest | undefined,
  stay: Pick<Stay, 'row'>,
): ComponentChild {
  const t = words.value
  const value = valueAt(stay.row, `meta.${field}`)
  const own = guest?.diets.filter((diet) => diet.field === field) ?? []
  if (own.length > 0) {
    return own.flatMap((diet, at) => [
      at > 0 && h('br', null),
      diet.allergy
        ? h('b', { class: 'leave' }, [h('span', { class: 'vh' }, `${t('allergy')}: `), diet.label])
        : diet.kind === 'unknown'
          ? [h('b', null, `${t('unknownDiet')}: `), diet.label]
          : diet.label,
    ])
  }
  if (value === null || value === '' || value === undefined) return h('b', { class: 'soft' }, t('notAsked'))
  const text = textOf(value, t)
  return guest === undefined
    ? text
    : [h('b', null, `${t('none')} `), h('span', { class: 'soft small' }, text)]
}
