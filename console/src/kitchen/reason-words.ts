/** Why a guest does not eat a meal, in the words of the page. */

import { type ListedGuest, MEALS, type Meal } from '../../../src/documents/portions.ts'
import { mealsText, type Wording, wordedReasons } from '../../../src/documents/reason-text.ts'
import { language, words } from '../base/signed-in.ts'

const wording = (): Wording => ({ t: words.value, language: language.value })

export const namesOf = (meals: readonly Meal[]): string => mealsText(wording(), meals)

/** @param meals of which reasons are given */
export const reasonTexts = (guest: ListedGuest, meals: readonly Meal[] = MEALS): string[] =>
  wordedReasons(wording(), guest, meals)
