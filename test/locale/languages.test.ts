import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { LANGUAGES, parseLanguage } from '../../src/locale/languages.ts'

describe('parseLanguage', () => {
  test('every language is its own tag', () => {
    for (const language of LANGUAGES) expect(parseLanguage(language)).toBe(language)
    expect(new Set(LANGUAGES).size).toBe(24)
  })

  test('ruling 35: any case, - or _, region and script dropped', () => {
    expect(parseLanguage('pt-BR')).toBe('pt')
    expect(parseLanguage('pt_br')).toBe('pt')
    expect(parseLanguage('RO')).toBe('ro')
    expect(parseLanguage('De-Latn-CH-1996')).toBe('de')
    expect(parseLanguage(' fr ')).toBe('fr')
  })

  test('ruling 35: nb and nn are no', () => {
    for (const tag of ['nb', 'nn', 'nb-NO', 'NN_no', 'no-NO']) expect(parseLanguage(tag)).toBe('no')
  })

  test('ruling 35: unknown and malformed tags are no language', () => {
    for (const tag of [
      '',
      ' ',
      '-',
      'xx',
      'zh-Hant',
      'english',
      'en-',
      'en--US',
      '_en',
      'en;q=1',
      'en, ro',
      '*',
      'e',
      'en-GB-toolongsub',
      'constructor',
      '__proto__',
      'en\0',
      `en${'-aa'.repeat(1000)}`,
    ]) {
      expect(parseLanguage(tag), JSON.stringify(tag)).toBeUndefined()
    }
  })

  test('never throws', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (tag) => {
        const language = parseLanguage(tag)
        expect(language === undefined || LANGUAGES.includes(language)).toBe(true)
      }),
    )
  })
})
