/** The console's own words. Each language has a catalogue with all of them; English is the model. */
import type english from '../../console/words/en.json'
import { numberText } from './numbers.ts'

/** The forms of a text with a count: `{ "one": "{n} column", "other": "{n} columns" }`. The count is `{n}`. */
export type Forms = Readonly<Partial<Record<Intl.LDMLPluralRule, string>>>
export type WordKey = keyof typeof english
export type Catalogue = Readonly<Record<WordKey, string | Forms>>
/** A number is written as in the language; a count (`n` of a text with forms) has to be a number. */
export type Values = Readonly<Record<string, string | number>>
export type Words = (key: WordKey, values?: Values) => string

/** @returns a message of the catalogue, in the form for its count, with `{name}` replaced by its values */
export const wordsOf =
  (catalogue: Catalogue, language = 'en'): Words =>
  (key, values = {}) => {
    const write = (value: string | number) =>
      typeof value === 'number' ? numberText(value, language) : value
    return textFor(catalogue[key], values.n, language).replaceAll(/\{(\w+)\}/g, (whole, name: string) =>
      write(values[name] ?? whole),
    )
  }

function textFor(text: string | Forms, count: string | number | undefined, language: string): string {
  if (typeof text === 'string') return text
  const form = typeof count === 'number' ? pluralRules(language).select(count) : 'other'
  return text[form] ?? text.other ?? ''
}

// European Portuguese counts differently from Brazilian, which is what `pt` means to Intl. Few browsers know Icelandic;
// the others count in Danish, which differs for 21, 31 and so on.
const COUNTS_AS: Readonly<Record<string, readonly string[]>> = { no: ['nb'], pt: ['pt-PT'], is: ['is', 'da'] }

/** How a language counts: which form goes with which number. */
export const pluralRules = (language: string): Intl.PluralRules =>
  new Intl.PluralRules(COUNTS_AS[language] ?? language)

/** A noun that begins with a capital, inside a sentence: German keeps it. */
export const inSentence = (noun: string, language: string): string =>
  language === 'de' ? noun : noun.toLocaleLowerCase(language)

/** What each language calls itself. */
export const LANGUAGE_NAMES: Readonly<Record<string, string>> = {
  en: 'English',
  ro: 'Română',
  no: 'Norsk',
  da: 'Dansk',
  sv: 'Svenska',
  fi: 'Suomi',
  is: 'Íslenska',
  de: 'Deutsch',
  nl: 'Nederlands',
  fr: 'Français',
  es: 'Español',
  pt: 'Português',
  'pt-BR': 'Português (Brasil)',
  it: 'Italiano',
  pl: 'Polski',
  cs: 'Čeština',
  sk: 'Slovenčina',
  hu: 'Magyar',
  sl: 'Slovenščina',
  hr: 'Hrvatski',
  bg: 'Български',
  el: 'Ελληνικά',
  uk: 'Українська',
  ru: 'Русский',
  tr: 'Türkçe',
}
