/** Why a guest does not eat a meal, in the words of a language: on the page, on its printouts, and in reports. */

import type { ListedGuest, Meal } from './portions.ts'
import { type Without, withoutOf } from './reasons.ts'
import { inSentence, type WordKey, type Words } from './words.ts'

export interface Wording {
  readonly t: Words
  readonly language: string
}

/** `breakfast, dinner` */
export const mealsText = ({ t, language }: Wording, meals: readonly Meal[]): string =>
  meals.map((meal) => inSentence(t(meal), language)).join(', ')

const TEXTS = {
  arrivesAfter: 'reasonArrives',
  arrivalDay: 'reasonArrivalDay',
  leavesBefore: 'reasonLeaves',
  departureDay: 'reasonDepartureDay',
  package: 'reasonPackage',
  program: 'reasonProgram',
  ownMeals: 'reasonOwn',
} as const satisfies Partial<Record<Without['reason'], WordKey>>

/** `arrives 22:30, after dinner`: each reason once, with its meals. @param meals of which reasons are given */
export function wordedReasons(wording: Wording, guest: ListedGuest, meals: readonly Meal[]): string[] {
  const given = withoutOf(guest).filter((one) => meals.includes(one.meal))
  return (Object.keys(TEXTS) as (keyof typeof TEXTS)[]).flatMap((reason) => {
    const of = given.filter((one) => one.reason === reason)
    const [first, last] = [of.at(0), of.at(-1)]
    if (first === undefined || last === undefined) return []
    const nearest = reason === 'leavesBefore' ? first.meal : last.meal
    return [
      wording.t(TEXTS[reason], {
        time: first.at ?? '',
        meal: mealsText(wording, [nearest]),
        meals: mealsText(
          wording,
          of.map(({ meal }) => meal),
        ),
      }),
    ]
  })
}
