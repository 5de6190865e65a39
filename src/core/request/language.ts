import { type Language, readLanguageTag } from '../locale/languages.ts'

/**
 * The language of an answer (ruling 35): that of `X-LOCALE`; English ("all others" in the interface's table) if that is
 * not supported; the center's language if the header is absent or not a language tag.
 */
export function answerLanguage(header: string | string[] | undefined, centerLanguage: Language): Language {
  if (typeof header !== 'string') return centerLanguage
  const reading = readLanguageTag(header)
  if (reading === 'malformed') return centerLanguage
  return reading === 'unsupported' ? 'en' : reading
}
