/**
 * The language of this browser, and its words. This module runs before the rest of the console is loaded, so on a slow line
 * the words come with it and not after it.
 */
import { type Catalogue, LANGUAGE_NAMES } from '../../../src/documents/words.ts'

const LANGUAGE = 'sojourn-language'

/** The language of before, or the browser's. */
function languageHere(): string {
  const wanted = [localStorage.getItem(LANGUAGE) ?? '', ...navigator.languages]
  const known = wanted
    .flatMap((tag) => [tag, tag.slice(0, 2)])
    .map((tag) => (tag === 'nb' || tag === 'nn' ? 'no' : tag))
    .find((tag) => Object.hasOwn(LANGUAGE_NAMES, tag))
  return known ?? 'en'
}

export const rememberLanguage = (language: string): void => localStorage.setItem(LANGUAGE, language)

async function load(language: string): Promise<Catalogue> {
  const answer = await fetch(new URL(`../../../words/${language}.json`, import.meta.url))
  return answer.json()
}

export const firstLanguage = languageHere()
let first: Promise<Catalogue> | undefined = load(firstLanguage)
// Who asks for it gets the error.
first.catch(() => {})

/** @throws without a connection; the next call tries again */
export function catalogueOf(language: string): Promise<Catalogue> {
  const asked = language === firstLanguage ? first : undefined
  first = undefined
  return asked ?? load(language)
}
