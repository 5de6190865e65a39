/**
 * Diets and meals of the shown stay, as the kitchen has them. Not permitted, not asked, none, and not cooked for are
 * different sentences.
 */
import { type ComponentChild, h } from 'preact'
import type { MealPortionsAnswer } from '../../../client/src/index.ts'
import { addDays, daysBetween, weekday, writtenDay, writtenShort } from '../../../src/documents/days.ts'
import { type ListedGuest, MEALS, type Meal } from '../../../src/documents/portions.ts'
import { withoutOf } from '../../../src/documents/reasons.ts'
import { useResource } from '../base/resource.ts'
import { language, may, words } from '../base/signed-in.ts'
import { State } from '../frame/states.ts'
import { withheldText } from '../kitchen/diets-shown.ts'
import { today } from '../kitchen/kitchen-reading.ts'
import { reasonTexts } from '../kitchen/reason-words.ts'
import { dietText } from './diet-text.ts'
import type { Stay } from './stays-reading.ts'

/** Days for which the service lists guests, at most. */
const DAYS_MAX = 31
/** Of a longer stay, those around today. */
const BEFORE_TODAY = 7

export function GuestMeals({ stay }: { readonly stay: Stay }): ComponentChild {
  const t = words.value
  if (!may('meals')) {
    return h('section', { class: 'block' }, [
      h('h2', null, t('dietsAndAllergies')),
      h('p', { class: 'say bad' }, h('b', null, t('mealsNotPermitted'))),
    ])
  }
  return h(ReadMeals, { stay })
}

/** @returns the first and the last day that are shown */
function daysShown({ from, until }: Stay): { readonly first: string; readonly last: string } {
  if (daysBetween(from, until) < DAYS_MAX) return { first: from, last: until }
  const wanted = today() > from && today() <= until ? addDays(today(), -BEFORE_TODAY) : from
  const first = wanted < from ? from : wanted
  const end = addDays(first, DAYS_MAX - 1)
  return { first, last: end < until ? end : until }
}

function ReadMeals({ stay }: { readonly stay: Stay }): ComponentChild {
  const t = words.value
  const { first, last } = daysShown(stay)
  const reader = useResource(
    (sojourn, signal) =>
      sojourn.meals.portions(
        { startDate: first, endDate: last, guestId: stay.id, includeGuests: true, includeReasons: true },
        { signal },
      ),
    [stay.id, first, last],
  )
  const reading = reader.state.value
  const { value } = reading
  const waits = value === undefined && reading.problem === undefined
  return [
    h('section', { class: 'block', key: 'diets' }, [
      h('h2', null, t('dietsAndAllergies')),
      h(State, { reading, reader }),
      waits && h('p', { class: 'soft', role: 'status' }, t('loading')),
      value && h(Diets, { of: value, stay }),
    ]),
    h('section', { class: 'block', key: 'meals' }, [
      h('h2', null, t('mealsOfStay')),
      value === undefined ? h('p', null, '–') : h(Meals, { of: value, stay, first, last }),
    ]),
  ]
}

const ownDays = (of: MealPortionsAnswer): ListedGuest[] => of.days.flatMap(({ guestList }) => guestList ?? [])

function Diets({ of, stay }: { readonly of: MealPortionsAnswer; readonly stay: Stay }): ComponentChild {
  const t = words.value
  const { fields, withheld } = of.diets
  const [guest] = ownDays(of)
  return h('div', null, [
    withheld.length > 0 &&
      h(
        'p',
        { class: 'say bad' },
        h('b', null, t('dietsOfGuestWithheld', { fields: withheldText(of.diets) })),
      ),
    fields.length === 0 && withheld.length === 0 && h('p', { class: 'unset' }, t('noDietFields')),
    fields.length > 0 &&
      h(
        'dl',
        { class: 'bits' },
        fields.flatMap(({ field, label }) => [
          h('dt', null, label),
          h('dd', null, dietText(field, guest, stay)),
        ]),
      ),
  ])
}

interface MealsProps {
  readonly of: MealPortionsAnswer
  readonly stay: Stay
  readonly first: string
  readonly last: string
}

function Meals({ of, stay, first, last }: MealsProps): ComponentChild {
  const t = words.value
  const tag = language.value
  if (ownDays(of).length === 0) return h('p', { class: 'say' }, t('notCookedForGuest'))
  const isCut = first !== stay.from || last !== stay.until
  return h('div', null, [
    isCut &&
      h(
        'p',
        { class: 'say chgd' },
        h('b', null, t('mealsOfDays', { from: writtenDay(first, tag), until: writtenDay(last, tag) })),
      ),
    h('table', { class: 'lines tri' }, [
      h('caption', { class: 'vh' }, t('mealsOfStay')),
      h(
        'thead',
        null,
        h('tr', null, [
          h('th', { scope: 'col' }, t('day')),
          ...MEALS.map((meal) => h('th', { scope: 'col' }, t(meal))),
        ]),
      ),
      h(
        'tbody',
        null,
        of.days.map(({ date, guestList }) =>
          h('tr', { class: date < today() ? 'past' : date === today() ? 'today' : undefined, key: date }, [
            h('th', { scope: 'row' }, [
              date === today() && h('b', null, `${t('today')} `),
              `${weekday(t, date, 'short')} ${writtenShort(date, tag)}`,
            ]),
            ...MEALS.map((meal) => mealCell(guestList?.[0], meal)),
          ]),
        ),
      ),
    ]),
    h('p', { class: 'small soft' }, t('eatsMeans')),
  ])
}

function mealCell(guest: ListedGuest | undefined, meal: Meal): ComponentChild {
  const t = words.value
  if (guest === undefined) return h('td', { class: 'soft' }, t('notCookedHere'))
  const more = guest.additional === undefined ? '' : ` +${guest.additional}`
  if (guest.eats.includes(meal)) return h('td', null, `${t('eatsMeal')}${more}`)
  if (guest.skips.includes(meal)) return h('td', null, h('b', null, t('skipsMeal')))
  const [reason] = reasonTexts(guest, [meal])
  const why =
    reason ??
    (withoutOf(guest).some((one) => one.meal === meal && one.reason === 'notServed') ? t('notServed') : '–')
  return h('td', { class: 'soft small' }, why)
}
