/**
 * What the proposal of an import asks, why it leaves a column out, and why a row is refused, in each language. Commands say it in
 * English, and the page in the language of its reader.
 */

import { readCatalogues } from './catalogues.ts'
import { intlTag, type Language } from './languages.ts'
import type en from './questions/en.json'
import { inEnglish, isTranslated, type Said, sayWith } from './said.ts'

const catalogues = readCatalogues<typeof en>('questions')

export const say = (said: Said, language: Language): string => sayWith(said, language, catalogues[language])

/** A text with its language. */
export interface Written {
  readonly text: string
  readonly lang: string
}

/** As a page shows it: a text is never half translated. */
export const write = (said: Said, language: Language): Written =>
  isTranslated(said)
    ? { text: say(said, language), lang: intlTag(language) }
    : { text: inEnglish(said), lang: 'en' }
