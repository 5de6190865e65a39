/** The console's own words. Each language has a catalogue with all of them; English is the model. */
import type english from '../../words/en.json'

export type Catalogue = Readonly<typeof english>
export type WordKey = keyof typeof english
export type Values = Readonly<Record<string, string | number>>
export type Words = (key: WordKey, values?: Values) => string

/** @returns a message of the catalogue with `{name}` replaced by its values */
export const wordsOf =
  (catalogue: Catalogue): Words =>
  (key, values = {}) =>
    catalogue[key].replaceAll(/\{(\w+)\}/g, (whole, name: string) => String(values[name] ?? whole))

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
