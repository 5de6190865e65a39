/** The console's own words: every catalogue has every message, with the same placeholders, in each form for a count. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import english from '../../console/words/en.json' with { type: 'json' }
import { LANGUAGES } from '../../src/core/locale/languages.ts'
import {
  type Catalogue,
  inSentence,
  LANGUAGE_NAMES,
  pluralRules,
  wordsOf,
} from '../../src/documents/words.ts'

const ROOT = join(import.meta.dirname, '..', '..', 'console')
const FOLDER = join(ROOT, 'words')
type Text = string | Record<string, string>
const catalogueOf = (language: string): Catalogue & Record<string, Text> =>
  JSON.parse(readFileSync(join(FOLDER, `${language}.json`), 'utf8'))
const textsIn = (text: Text = ''): readonly string[] =>
  typeof text === 'string' ? [text] : Object.values(text)
const placeholdersOf = (text: string) => [...text.matchAll(/\{\w+\}/g)].map(([name]) => name).sort()

it('there is a catalogue for each language of the interface, and each says what it is called', () => {
  expect(readdirSync(FOLDER).sort()).toEqual(LANGUAGES.map((language) => `${language}.json`).sort())
  expect(Object.keys(LANGUAGE_NAMES)).toEqual([...LANGUAGES])
})

describe.each(LANGUAGES.map((language) => [language]))('%s', (language) => {
  const catalogue = catalogueOf(language)

  it('has every message, and no other', () => {
    expect(Object.keys(catalogue)).toEqual(Object.keys(english))
    for (const [key, text] of Object.entries(catalogue)) {
      for (const one of textsIn(text)) expect(one, key).toMatch(/^\S(.*\S)?$/)
    }
  })

  it('names every day and month', () => {
    const counts = ['weekdays', 'weekdaysShort', 'monthsShort'].map(
      (key) => textsIn(catalogue[key])[0]?.split(', ').length,
    )
    expect(counts).toEqual([7, 7, 12])
  })

  it('has the placeholders of the English text, in each form, and no other', () => {
    for (const [key, text] of Object.entries(english)) {
      const [names = []] = textsIn(text).map(placeholdersOf)
      for (const one of textsIn(catalogue[key]))
        expect([key, one, placeholdersOf(one)]).toEqual([key, one, names])
    }
  })

  it('has exactly the forms that its plural rules need, of the texts that have forms in English', () => {
    const needed = pluralRules(language).resolvedOptions().pluralCategories.toSorted()
    for (const [key, text] of Object.entries(english)) {
      if (typeof text === 'string') {
        expect([key, typeof catalogue[key]]).toEqual([key, 'string'])
      } else {
        expect([key, Object.keys(catalogue[key] ?? {}).sort()]).toEqual([key, needed])
        expect([key, placeholdersOf(text.other).includes('{n}')]).toEqual([key, true])
      }
    }
  })
})

it('no catalogue but those of English varieties is English', () => {
  for (const language of LANGUAGES.filter((one) => one !== 'en')) {
    const same = Object.entries(catalogueOf(language)).filter(
      ([key, text]) => text === Object.entries(english).find(([name]) => name === key)?.[1],
    )
    expect(same.length, `${language}: ${same.map(([key]) => key).join()}`).toBeLessThan(20)
  }
})

it('replaces placeholders by values, and leaves one that has none', () => {
  const t = wordsOf(english)
  expect(t('pageOf', { n: 2, total: 3 })).toBe('2 of 3')
  expect(t('pageOf', { n: 2 })).toBe('2 of {total}')
})

it('writes numbers as in the language', () => {
  expect(wordsOf(english)('guestsInHouse', { n: 1234 })).toBe('Guests in house: 1,234')
  expect(wordsOf(catalogueOf('de'), 'de')('guestsInHouse', { n: 1234 })).toBe('Gäste im Haus: 1.234')
})

it.each([
  ['en', ['Search 1 column', 'Search 2 columns', 'Search 21 columns', 'Search 1,234 columns']],
  [
    'ru',
    ['Поиск по 1 столбцу', 'Поиск по 2 столбцам', 'Поиск по 21 столбцу', 'Поиск по 1\u00a0234 столбцам'],
  ],
  [
    'cs',
    ['Hledat v 1 sloupci', 'Hledat ve 2 sloupcích', 'Hledat v 21 sloupcích', 'Hledat v 1\u00a0234 sloupcích'],
  ],
  ['hr', ['Pretraži 1 stupac', 'Pretraži 2 stupca', 'Pretraži 21 stupac', 'Pretraži 1.234 stupca']],
  ['tr', ['1 sütunda ara', '2 sütunda ara', '21 sütunda ara', '1.234 sütunda ara']],
])('counts as in the language: %s', (language, said) => {
  const t = wordsOf(catalogueOf(language), language)
  expect([1, 2, 21, 1234].map((n) => t('searchColumns', { n }))).toEqual(said)
})

it('writes a meal inside a sentence small, and in German as the noun that it is', () => {
  expect([inSentence('Lunch', 'en'), inSentence('Mittagessen', 'de'), inSentence('İkindi', 'tr')]).toEqual([
    'lunch',
    'Mittagessen',
    'ikindi',
  ])
})
