/**
 * The languages humanized answers can be shown in, by their base code.
 * Every one has a full catalogue in `labels/`; the compiler and a test hold that true.
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
const tagPattern = /^([a-z]{2,3})(?:[-_][a-z0-9]{1,8})*$/

const byCode: ReadonlyMap<string, Language> = new Map<string, Language>([
  ...LANGUAGES.map((language): [string, Language] => [language, language]),
  // Norwegian is asked for by its two written forms far more often than by the language itself.
  ['nb', 'no'],
  ['nn', 'no'],
])

/**
 * Reads a language tag such as `ro`, `nb-NO`, `pt_BR` or `zh-Hant-TW` (ruling 35).
 *
 * Any case, `_` or `-`; region, script and further subtags are dropped; `nb` and `nn` are `no`.
 * Returns undefined for a malformed, too long or unknown tag. Never throws.
 */
export function parseLanguage(tag: string): Language | undefined {
  // Nearly every caller sends the bare code, which needs no pattern.
  const exact = byCode.get(tag)
  if (exact !== undefined) return exact
  if (tag.length > tagLengthMax) return undefined
  const match = tagPattern.exec(tag.trim().toLowerCase())
  return match === null ? undefined : byCode.get(match[1]!)
}
