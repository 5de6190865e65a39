/** Why a guest does not eat a meal, in words. */
import { language, words } from '../base/signed-in.ts'
import { inSentence, type WordKey } from '../base/words.ts'
import { type ListedGuest, MEALS, type Meal } from './portions.ts'
import { type Without, withoutOf } from './reasons.ts'

export const namesOf = (meals: readonly Meal[]): string =>
  meals.map((meal) => inSentence(words.value(meal), language.value)).join(', ')

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
export function reasonTexts(guest: ListedGuest, meals: readonly Meal[] = MEALS): string[] {
  const told = withoutOf(guest).filter((one) => meals.includes(one.meal))
  return (Object.keys(TEXTS) as (keyof typeof TEXTS)[]).flatMap((reason) => {
    const of = told.filter((one) => one.reason === reason)
    const [first, last] = [of.at(0), of.at(-1)]
    if (first === undefined || last === undefined) return []
    const nearest = reason === 'leavesBefore' ? first.meal : last.meal
    const values = {
      time: first.at ?? '',
      meal: namesOf([nearest]),
      meals: namesOf(of.map(({ meal }) => meal)),
    }
    return [words.value(TEXTS[reason], values)]
  })
}
