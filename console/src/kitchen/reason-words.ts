/** Why a guest does not eat a meal, in the words of the page. */
import { language, words } from '../base/signed-in.ts'
import { type ListedGuest, MEALS, type Meal } from './portions.ts'
import { mealsText, type Wording, wordedReasons } from './reason-text.ts'

const wording = (): Wording => ({ t: words.value, language: language.value })

export const namesOf = (meals: readonly Meal[]): string => mealsText(wording(), meals)

/** @param meals of which reasons are given */
export const reasonTexts = (guest: ListedGuest, meals: readonly Meal[] = MEALS): string[] =>
  wordedReasons(wording(), guest, meals)
