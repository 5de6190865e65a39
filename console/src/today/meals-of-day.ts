/** The plates of a day, as the kitchen has them. */
import { type ComponentChild, h } from 'preact'
import type { MealPortionsAnswer } from '../../../client/src/index.ts'
import { MEALS, sizedFor } from '../../../src/documents/portions.ts'
import { to } from '../base/routes.ts'
import { words } from '../base/signed-in.ts'
import { today } from '../kitchen/kitchen-reading.ts'
import type { DayGuest } from './day-guests.ts'

interface MealsOfDayProps {
  readonly day: string
  /** undefined if the key may not read meals */
  readonly portions: MealPortionsAnswer | undefined
  readonly guests: readonly DayGuest[]
}

export function MealsOfDay({ day, portions, guests }: MealsOfDayProps): ComponentChild {
  const t = words.value
  const shown = portions?.days[0]
  if (shown === undefined) return null
  return h('section', { class: 'block' }, [
    h('h2', null, [t('portions'), ' ', h('span', { class: 'then' }, t('asInKitchen'))]),
    h(
      'dl',
      { class: 'three', style: sizedFor([shown]) },
      MEALS.map((meal) =>
        h('div', null, [
          h('dt', null, t(meal)),
          h('dd', null, [
            h('b', null, shown.meals[meal].portions),
            h('span', { class: 'small soft' }, t('skip', { n: shown.meals[meal].skipping })),
          ]),
        ]),
      ),
    ),
    // Two requests: what changes in between is read again a moment later.
    shown.guests !== guests.length &&
      h('p', { class: 'say chgd', role: 'status' }, t('kitchenDiffers', { n: shown.guests })),
    h('p', null, h('a', { href: to('kitchen', { day: day === today() ? undefined : day }) }, t('kitchen'))),
  ])
}
