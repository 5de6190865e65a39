import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { LANGUAGES, parseLanguage, readLanguageTag } from '../../src/core/locale/languages.ts'

describe('a language tag', () => {
  test('every language is its own tag', () => {
    for (const language of LANGUAGES) expect(readLanguageTag(language)).toBe(language)
    expect(new Set(LANGUAGES).size).toBe(25)
  })

  test('ruling 35: any case, - or _, script and further subtags dropped', () => {
    expect(readLanguageTag('RO')).toBe('ro')
    expect(readLanguageTag('ro_md')).toBe('ro')
    expect(readLanguageTag('De-Latn-CH-1996')).toBe('de')
    expect(readLanguageTag(' fr ')).toBe('fr')
  })

  test('ruling 35: a region counts where the catalogue has its own words, and is dropped elsewhere', () => {
    for (const tag of ['pt-BR', 'pt_br', 'PT-Latn-BR', 'pt-BR-abl1943', 'pt-BR-u-nu-latn']) {
      expect(readLanguageTag(tag), tag).toBe('pt-BR')
    }
    for (const tag of ['pt', 'pt-PT', 'pt-AO', 'pt-x-br', 'pt-076'])
      expect(readLanguageTag(tag), tag).toBe('pt')
    expect(readLanguageTag('de-BR')).toBe('de')
  })

  test('ruling 35: nb and nn are no', () => {
    for (const tag of ['nb', 'nn', 'nb-NO', 'NN_no', 'no-NO']) expect(readLanguageTag(tag)).toBe('no')
  })

  test('ruling 35: a well-formed tag of another language is not supported', () => {
    for (const tag of [
      'xx',
      'zz-ZZ',
      'zh-Hant',
      'ja_JP',
      'haw',
      'english',
      'klingon',
      'constructor'.slice(0, 8),
    ]) {
      expect(readLanguageTag(tag), tag).toBe('unsupported')
      expect(parseLanguage(tag), tag).toBeUndefined()
    }
  })

  test('ruling 35: what is no tag is malformed', () => {
    for (const tag of [
      '',
      ' ',
      '-',
      'en-',
      'en--US',
      '_en',
      'en;q=1',
      'en, ro',
      '*',
      'e',
      'x-private',
      'en-GB-toolongsub',
      'constructor',
      '__proto__',
      'en\0',
      `en${'-aa'.repeat(1000)}`,
    ]) {
      expect(readLanguageTag(tag), JSON.stringify(tag)).toBe('malformed')
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
