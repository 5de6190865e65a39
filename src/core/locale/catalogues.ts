import { readFileSync } from 'node:fs'
import { LANGUAGES, type Language } from './languages.ts'

/** The texts of each language, from a folder with a file for each. Tests hold each file to the keys of the English one. */
export const readCatalogues = <Texts>(folder: 'labels' | 'questions'): Readonly<Record<Language, Texts>> =>
  Object.fromEntries(
    LANGUAGES.map((language): [string, Texts] => [
      language,
      JSON.parse(readFileSync(new URL(`./${folder}/${language}.json`, import.meta.url), 'utf8')),
    ]),
  ) as Record<Language, Texts>
