import { type Language, parseLanguage } from '../locale/languages.ts'

/** The language of an answer: `X-LOCALE` where it is known, else the center's own (ruling 35). */
export function answerLanguage(header: string | string[] | undefined, centerLanguage: Language): Language {
  if (typeof header !== 'string') return centerLanguage
  return parseLanguage(header) ?? centerLanguage
}
