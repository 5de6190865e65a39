/**
 * The languages of humanized answers, by their base code; with a region if the catalogue is that of a region. Each has
 * a complete catalogue in `labels/`, which a test checks.
 */
export const LANGUAGES = [
  'en',
  'ro',
  'no',
  'da',
  'sv',
  'fi',
  'is',
  'de',
  'nl',
  'fr',
  'es',
  'pt',
  'pt-BR',
  'it',
  'pl',
  'cs',
  'sk',
  'hu',
  'sl',
  'hr',
  'bg',
  'el',
  'uk',
  'ru',
  'tr',
] as const

/** One of `LANGUAGES`. */
export type Language = (typeof LANGUAGES)[number]

/** The tag by which `Intl` and documents know a language: of Norwegian, that of its more common written form. */
export const intlTag = (language: Language): string => (language === 'no' ? 'nb' : language)

// The longest tag in the registry of language subtags, with all optional parts, is about this long. A longer header is
// not a language; the limit keeps long texts from the pattern below.
const tagLengthMax = 64

// The relevant part of BCP 47: a primary subtag, then subtags of one to eight letters or digits.
const tagPattern = /^[a-z]{2,8}(?:[-_][a-z0-9]{1,8})*$/

const byTag: ReadonlyMap<string, Language> = new Map<string, Language>([
  ...LANGUAGES.map((language): [string, Language] => [language.toLowerCase(), language]),
  // Norwegian is requested by its two written forms far more often than by its own code.
  ['nb', 'no'],
  ['nn', 'no'],
])

/** The result of reading a language tag: a supported language, an unsupported one, or no language tag. */
export type TagReading = Language | 'unsupported' | 'malformed'

/**
 * Reads a language tag such as `ro`, `nb-NO`, `pt_BR` or `zh-Hant-TW` (ruling 35). Any case, `_` or `-`; `nb` and `nn`
 * are `no`. A region counts if there is a catalogue for it; otherwise it is ignored, like the script and further
 * subtags. Never throws.
 */
export function readLanguageTag(tag: string): TagReading {
  // Nearly every caller sends the base code, which needs no pattern.
  const exact = byTag.get(tag)
  if (exact !== undefined) return exact
  if (tag.length > tagLengthMax) return 'malformed'
  const wellFormed = tag.trim().toLowerCase()
  if (!tagPattern.test(wellFormed)) return 'malformed'
  const [primary = '', ...others] = wellFormed.split(/[-_]/)
  // The subtags after a single letter or digit are an extension, in which `br` is not a region.
  const singleton = others.findIndex((subtag) => subtag.length === 1)
  const region = others
    .slice(0, singleton < 0 ? others.length : singleton)
    .find((subtag) => /^[a-z]{2}$/.test(subtag))
  return byTag.get(`${primary}-${region}`) ?? byTag.get(primary) ?? 'unsupported'
}

/** A tag's language; undefined if it is not supported. Never throws. */
export function parseLanguage(tag: string): Language | undefined {
  const reading = readLanguageTag(tag)
  return reading === 'unsupported' || reading === 'malformed' ? undefined : reading
}

/** The language, and the base language if it is that of a region: `pt-BR`, `pt`. */
export function withBase(language: Language): readonly Language[] {
  const base = byTag.get(language.slice(0, 2)) ?? language
  return base === language ? [language] : [language, base]
}
