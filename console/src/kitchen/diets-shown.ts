/** Whether a page shows diets, and what it says if it does not: an allergy that nobody sees must not look like none. */
import { type ComponentChild, h } from 'preact'
import type { MealPortionsAnswer } from '../../../client/src/index.ts'
import { person, words } from '../base/signed-in.ts'

export type Diets = MealPortionsAnswer['diets']

/**
 * `all`: every diet of the center. `some`: the key may not read all of them. `withheld`: it may read none. `unset`: the
 * center has not set which fields are diets.
 */
export type DietsShown = 'all' | 'some' | 'withheld' | 'unset'

export function dietsShown({ fields, withheld }: Diets): DietsShown {
  if (withheld.length > 0) return fields.length > 0 ? 'some' : 'withheld'
  return fields.length > 0 ? 'all' : 'unset'
}

/** The center's words for the diets that the key may not read; their keys if it may not see these either. */
export const withheldText = ({ withheld }: Diets): string =>
  withheld
    .map((key) => person.value?.fields.find(({ name }) => name === `meta.${key}`)?.label ?? key)
    .join(', ')

const TEXTS = {
  page: ['withheldPage', 'withheldPageSome', 'withheldPageWhy'],
  wall: ['withheldWall', 'withheldWallSome', 'withheldWallWhy'],
  sheet: ['withheldSheet', 'withheldSheetSome', 'withheldSheetWhy'],
} as const
const CLASSES = { page: 'say bad loud', wall: 'say bad', sheet: 'gap' } as const

interface DietsNoticeProps {
  /** undefined while they are read for the first time */
  readonly diets: Diets | undefined
  readonly on: keyof typeof TEXTS
}

/** Above the numbers, if the key may not read every diet. */
export function DietsNotice({ diets, on }: DietsNoticeProps): ComponentChild {
  const t = words.value
  const shown = diets === undefined ? 'all' : dietsShown(diets)
  if (diets === undefined || shown === 'all' || shown === 'unset') return null
  const [none, some, why] = TEXTS[on]
  // On a wall, the place of the diets is free for it.
  const size = on === 'wall' && shown === 'withheld' ? ' big' : ''
  return h('div', { class: `${CLASSES[on]}${size}`, role: on === 'page' ? 'alert' : undefined }, [
    h('p', null, h('b', null, shown === 'withheld' ? t(none) : t(some, { fields: withheldText(diets) }))),
    h('p', null, t(why)),
  ])
}

/** Below a table that has no room for it, if the center has not set its diets. */
export function DietsUnset({ diets }: Pick<DietsNoticeProps, 'diets'>): ComponentChild {
  const t = words.value
  if (diets === undefined || dietsShown(diets) !== 'unset') return null
  return h('p', { class: 'unset' }, t('noDietFields'))
}

/** In the place of the diets, if there are none to show. */
export function DietsMissing({ diets, on }: DietsNoticeProps): ComponentChild {
  const t = words.value
  const shown = diets === undefined ? 'all' : dietsShown(diets)
  // On a wall and on paper the notice is there.
  if (shown === 'all' || shown === 'some' || (shown === 'withheld' && on !== 'page')) return null
  return h('tr', { class: 'l note' }, [
    h('th', { scope: 'row' }, h('b', null, t('dietsAndAllergies'))),
    h('td', { colSpan: 3 }, t(shown === 'withheld' ? 'dietsNotPermitted' : 'noDietFields')),
  ])
}
