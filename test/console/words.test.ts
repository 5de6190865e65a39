/** The console's own words: every catalogue has every message, with the same places for values. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { inSentence, LANGUAGE_NAMES, wordsOf } from '../../console/src/base/words.ts'
import english from '../../console/words/en.json' with { type: 'json' }
import { LANGUAGES } from '../../src/locale/languages.ts'

const ROOT = join(import.meta.dirname, '..', '..', 'console')
const FOLDER = join(ROOT, 'words')
const catalogueOf = (language: string): Record<string, string> =>
  JSON.parse(readFileSync(join(FOLDER, `${language}.json`), 'utf8'))
const placesOf = (text: string) => [...text.matchAll(/\{\w+\}/g)].map(([place]) => place).sort()

it('there is a catalogue for each language of the interface, and each says what it is called', () => {
  expect(readdirSync(FOLDER).sort()).toEqual(LANGUAGES.map((language) => `${language}.json`).sort())
  expect(Object.keys(LANGUAGE_NAMES)).toEqual([...LANGUAGES])
})

describe.each(LANGUAGES.map((language) => [language]))('%s', (language) => {
  const catalogue = catalogueOf(language)

  it('has every message, and no other', () => {
    expect(Object.keys(catalogue)).toEqual(Object.keys(english))
    for (const [key, text] of Object.entries(catalogue)) expect(text.trim(), key).not.toBe('')
  })

  it('names every day and month', () => {
    const counts = ['weekdays', 'weekdaysShort', 'monthsShort'].map(
      (key) => catalogue[key]?.split(', ').length,
    )
    expect(counts).toEqual([7, 7, 12])
  })

  it('has a place for each value, and no other', () => {
    for (const [key, text] of Object.entries(english)) {
      expect([key, placesOf(catalogue[key] ?? '')]).toEqual([key, placesOf(text)])
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

it('puts values in their places, and leaves a place that has none', () => {
  const t = wordsOf(english)
  expect(t('pageOf', { n: 2, total: 3 })).toBe('2 of 3')
  expect(t('pageOf', { n: 2 })).toBe('2 of {total}')
})

it('writes a meal inside a sentence small, and in German as the noun that it is', () => {
  expect([inSentence('Lunch', 'en'), inSentence('Mittagessen', 'de'), inSentence('İkindi', 'tr')]).toEqual([
    'lunch',
    'Mittagessen',
    'ikindi',
  ])
})
