/** What the proposal of an import asks is in every language, with the values of the English text. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { LANGUAGES } from '../../src/core/locale/languages.ts'
import { say } from '../../src/core/locale/questions.ts'
import { inEnglish, type Said } from '../../src/core/locale/said.ts'

const FOLDER = join(import.meta.dirname, '..', '..', 'src', 'core', 'locale', 'questions')
const catalogueOf = (language: string): Readonly<Record<string, string>> =>
  JSON.parse(readFileSync(join(FOLDER, `${language}.json`), 'utf8'))
const placeholdersOf = (text = '') => [...text.matchAll(/\{\w+\}/g)].map(([name]) => name).sort()
const english = catalogueOf('en')

it('there is a catalogue for each language', () => {
  expect(readdirSync(FOLDER).sort()).toEqual(LANGUAGES.map((language) => `${language}.json`).sort())
})

describe.each(LANGUAGES.filter((language) => language !== 'en'))('%s', (language) => {
  const catalogue = catalogueOf(language)

  it('has every text with the placeholders of the English one, and hardly any English', () => {
    expect(Object.keys(catalogue)).toEqual(Object.keys(english))
    for (const [key, text] of Object.entries(english)) {
      expect([key, placeholdersOf(catalogue[key])]).toEqual([key, placeholdersOf(text)])
      expect(catalogue[key], key).toMatch(/^\S(.*\S)?$/)
    }
    expect(Object.keys(english).filter((key) => catalogue[key] === english[key]).length).toBeLessThan(3)
  })
})

describe('a text', () => {
  const asked: Said = {
    key: 'whichDay',
    values: { columns: { list: ['Von', 'Bis', 'Geboren'] }, example: '"03.04.2026"' },
  }

  it.each([
    ['en', 'Von, Bis and Geboren: which day is "03.04.2026"?'],
    ['de', 'Von, Bis und Geboren: Welcher Tag ist "03.04.2026"?'],
    ['sv', 'Von, Bis och Geboren: vilken dag är "03.04.2026"?'],
    ['no', 'Von, Bis og Geboren: hvilken dag er "03.04.2026"?'],
  ] as const)('lists as in the language: %s', (language, begins) => {
    expect(say(asked, language).startsWith(begins)).toBe(true)
  })

  it('has days and names of fields as the language writes them', () => {
    const day: Said = { key: 'textIs', values: { text: '03.04.2026', day: { day: '2026-04-03' } } }
    expect([inEnglish(day), say(day, 'de'), say(day, 'no')]).toEqual([
      '03.04.2026 is April 3, 2026',
      '03.04.2026 ist 3. April 2026',
      '03.04.2026 er 3. april 2026',
    ])
    const cells: Said = { key: 'unusedCells', values: { field: { field: 'startDate' } } }
    expect([inEnglish(cells), say(cells, 'de')]).toEqual([
      'its cells are no "Start of stay"',
      'ihre Zellen sind kein Wert für "Beginn des Aufenthalts"',
    ])
  })

  it('takes what a file says for a value, and never for a placeholder or a key', () => {
    const said: Said = { key: 'eachRowBookingMeans', values: { columns: '{columns} constructor' } }
    expect(inEnglish(said)).toBe('{columns} constructor together identify a booking')
    expect(say('constructor', 'ru')).toBe('constructor')
  })
})
