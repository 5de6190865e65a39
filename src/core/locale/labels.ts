import { readCatalogues } from './catalogues.ts'
import type en from './labels/en.json'
import { LANGUAGES, type Language } from './languages.ts'

/** The kinds of raw values. Each has its own labels in every catalogue. */
export type LabelKind = keyof typeof en

const catalogues = readCatalogues<typeof en>('labels')

/** Every kind of label, in the order of the catalogues. */
export const LABEL_KINDS: readonly LabelKind[] = Object.keys(catalogues.en) as LabelKind[]

type Labels = ReadonlyMap<string, string>

/** Abbreviations that systems write instead of a raw value. */
const SHORT: Partial<Record<LabelKind, Readonly<Record<string, string>>>> = {
  gender: { f: 'female', m: 'male' },
  paymentStatus: { partial: 'partially_paid' },
}

// Maps and not the parsed objects, because raw values come from outside, and `constructor` or `__proto__` must match
// nothing.
const labels = Object.fromEntries(
  LANGUAGES.map((language) => [
    language,
    Object.fromEntries(LABEL_KINDS.map((kind) => [kind, tableOf(catalogues[language][kind], SHORT[kind])])),
  ]),
) as Readonly<Record<Language, Readonly<Record<LabelKind, Labels>>>>

// Longer than any value of a catalogue, so other spellings need not be tried.
const rawLengthMax = 64

/**
 * The label of a raw value in a language: `labelOf('de', 'status', 'waitingList')` is `Warteliste`. Any usual spelling
 * of the raw value is found: `credit_card`, `creditCard`, `CREDIT_CARD`, `credit-card`. A value that no catalogue has
 * is shown in a readable form, and is never an error (ruling 37): `bank_slip` is `Bank slip`, `someValue` is `Some
 * value`, and readable text (`PayPal`, `Paid at the bank`) stays unchanged.
 */
export function labelOf(language: Language, kind: LabelKind, raw: string): string {
  const table = labels[language][kind]
  const label = table.get(raw)
  if (label !== undefined) return label
  if (raw.length > rawLengthMax) return readable(raw)
  return table.get(squash(raw)) ?? readable(raw)
}

/** All labels of a kind in a language, by raw value: `{ confirmed: 'Bestätigt', … }`. */
export const labelsOf = (language: Language, kind: LabelKind): Readonly<Record<string, string>> =>
  catalogues[language][kind]

function tableOf(
  catalogue: Readonly<Record<string, string>>,
  short: Readonly<Record<string, string>> = {},
): Labels {
  const table = new Map<string, string>()
  for (const [raw, label] of Object.entries(catalogue)) {
    table.set(squash(raw), label)
    // Spellings that occur are added, so that they are not normalized each time.
    table.set(
      raw.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase()),
      label,
    )
    table.set(raw, label)
  }
  for (const [written, raw] of Object.entries(short)) table.set(written, catalogue[raw]!)
  return table
}

/** A raw value without the differences between spellings: `creditcard`. */
function squash(raw: string): string {
  return raw.replaceAll(/[\s_-]+/g, '').toLowerCase()
}

function readable(raw: string): string {
  // Words separated by spaces are a person's own text, in which hyphens have a meaning: `Paid at the pre-sale`.
  const isText = /\S\s+\S/.test(raw)
  let text = raw.replaceAll(isText ? /\s+/g : /[\s_-]+/g, ' ').trim()
  // `BANK_SLIP` is an identifier with several words; a single `SEPA` is a name.
  if (/^[A-Z0-9]+(?:_[A-Z0-9]+)+$/.test(raw)) text = text.toLowerCase()
  // Only an identifier that begins in lower case is divided at its capitals; `PayPal` and `SEPA` are names. Consecutive
  // capitals are an abbreviation and stay: `payByQR` becomes `Pay by QR`.
  if (/^\p{Ll}[\p{L}\p{N}]*$/u.test(text)) {
    text = text.replaceAll(
      /([\p{Ll}\p{N}])(\p{Lu}+)/gu,
      (_, before: string, capitals: string) =>
        `${before} ${capitals.length === 1 ? capitals.toLowerCase() : capitals}`,
    )
  }
  const first = String.fromCodePoint(text.codePointAt(0) ?? 32)
  return text === '' ? raw : first.toUpperCase() + text.slice(first.length)
}
