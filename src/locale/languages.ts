/**
 * The languages humanized answers can be shown in, by their base code; with a region where the catalogue has that
 * region's own words. Every one has a full catalogue in `labels/`; the compiler and a test hold that true.
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

// The longest tag in the registry of language subtags with everything optional is about this long; a header
// that is longer is not a language, and the bound keeps the pattern below from ever seeing a long text.
const tagLengthMax = 64

// BCP 47 as far as it matters here: a primary subtag, then subtags of one to eight letters or digits.
const tagPattern = /^[a-z]{2,8}(?:[-_][a-z0-9]{1,8})*$/

const byTag: ReadonlyMap<string, Language> = new Map<string, Language>([
  ...LANGUAGES.map((language): [string, Language] => [language.toLowerCase(), language]),
  // Norwegian is asked for by its two written forms far more often than by the language itself.
  ['nb', 'no'],
  ['nn', 'no'],
])

/** What a language tag asks for: a language of ours, one that is not supported, or nothing that is a tag. */
export type TagReading = Language | 'unsupported' | 'malformed'

/**
 * Reads a language tag such as `ro`, `nb-NO`, `pt_BR` or `zh-Hant-TW` (ruling 35).
 *
 * Any case, `_` or `-`; `nb` and `nn` are `no`. A region counts where the catalogue has that region's own words;
 * else it is dropped, as script and further subtags are. Never throws.
 */
export function readLanguageTag(tag: string): TagReading {
  // Nearly every caller sends the bare code, which needs no pattern.
  const exact = byTag.get(tag)
  if (exact !== undefined) return exact
  if (tag.length > tagLengthMax) return 'malformed'
  const wellFormed = tag.trim().toLowerCase()
  if (!tagPattern.test(wellFormed)) return 'malformed'
  const [primary = '', ...others] = wellFormed.split(/[-_]/)
  // What follows a single letter or digit is an extension, and its `br` is no region.
  const singleton = others.findIndex((subtag) => subtag.length === 1)
  const region = others
    .slice(0, singleton < 0 ? others.length : singleton)
    .find((subtag) => /^[a-z]{2}$/.test(subtag))
  return byTag.get(`${primary}-${region}`) ?? byTag.get(primary) ?? 'unsupported'
}

/** A tag's language, or undefined where it is none of ours. Never throws. */
export function parseLanguage(tag: string): Language | undefined {
  const reading = readLanguageTag(tag)
  return reading === 'unsupported' || reading === 'malformed' ? undefined : reading
}

/** The language itself and, where it is a region's, the one it is a variety of: `pt-BR`, `pt`. */
export function withBase(language: Language): readonly Language[] {
  const base = byTag.get(language.slice(0, 2)) ?? language
  return base === language ? [language] : [language, base]
}
