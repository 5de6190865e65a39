import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { cldrTag, formatAmount, isCurrency, upperCase } from '../../src/core/locale/amounts.ts'
import { LANGUAGES } from '../../src/core/locale/languages.ts'

const currencies = [
  'EUR',
  'RON',
  'NOK',
  'SEK',
  'DKK',
  'ISK',
  'USD',
  'GBP',
  'CHF',
  'PLN',
  'CZK',
  'HUF',
  'BGN',
  'UAH',
  'RUB',
  'TRY',
  'JPY',
  'KWD',
  'CLF',
  'BRL',
  'XXX',
  'QQQ',
]

const made = new Map<string, Intl.NumberFormat>()
function intl(language: string, currency?: string): Intl.NumberFormat {
  const key = `${language} ${currency}`
  let formatter = made.get(key)
  if (formatter === undefined) {
    formatter = new Intl.NumberFormat(language, currency === undefined ? {} : { style: 'currency', currency })
    made.set(key, formatter)
  }
  return formatter
}

const amount = fc.oneof(
  // Money as it is retained: cents, and the halves on which rounding depends.
  fc.integer({ min: -100_000_000, max: 100_000_000 }).map((cents) => cents / 100),
  fc.integer({ min: -1_000_000_000, max: 1_000_000_000 }).map((n) => n / 10_000 + 0.005),
  fc.integer({ min: -10_000_000, max: 10_000_000 }).map((n) => n / 1000 + 0.0005),
  fc.integer({ min: -1_000_000, max: 1_000_000 }).map((n) => n + 0.5),
  fc.double({ min: -1e6, max: 1e6, noNaN: true }),
  fc.double({ min: -1e17, max: 1e17, noNaN: true }),
  fc.double(),
  fc.constantFrom(
    0,
    -0,
    0.001,
    -0.001,
    0.005,
    1.005,
    1.115,
    1e-7,
    5e-324,
    999.995,
    9999.995,
    999_999.9995,
    1e12,
    1e15,
    1e21,
  ),
)

describe('ruling 36: amounts by CLDR', () => {
  test('as reception desks know them', () => {
    const shown: [string, string][] = [
      [formatAmount('en', 'EUR', 1234.5), '€1,234.50'],
      [formatAmount('en', 'USD', -1234.5), '-$1,234.50'],
      [formatAmount('ro', 'RON', 1234.5), '1.234,50 RON'],
      [formatAmount('no', 'NOK', 1234.5), '1 234,50 kr'],
      [formatAmount('no', 'NOK', -1234.5), '−1 234,50 kr'],
      [formatAmount('de', 'EUR', 1_234_567.891), '1.234.567,89 €'],
      [formatAmount('es', 'EUR', 1234.5), '1234,50 €'],
      [formatAmount('nl', 'EUR', -5), '€ -5,00'],
      [formatAmount('hu', 'HUF', 12_500), '12 500 Ft'],
      [formatAmount('en', 'JPY', 1234.5), '¥1,235'],
      [formatAmount('en', 'KWD', 1.2345), 'KWD 1.235'],
      [formatAmount('pt', 'EUR', 12_345.6), '12 345,60 €'],
      [formatAmount('pt-BR', 'BRL', 12_345.6), 'R$ 12.345,60'],
    ]
    for (const [ours, theirs] of shown) expect(ours.replaceAll(/[\u00a0\u202f]/g, ' ')).toBe(theirs)
  })

  test('ruling 36: of blanks, signs and what cannot be seen an amount has only what the documentation names', () => {
    const found = new Set<string>()
    for (const language of LANGUAGES) {
      for (const currency of Intl.supportedValuesOf('currency')) {
        for (const value of [0, -1, 1234.5, -12_345.6, 1_234_567]) {
          for (const [character] of formatAmount(language, currency, value).matchAll(
            /[\p{Z}\p{C}\p{Pd}\p{Sm}]/gu,
          )) {
            found.add(`U+${character.codePointAt(0)?.toString(16).toUpperCase().padStart(4, '0')}`)
          }
        }
      }
    }
    expect([...found].sort()).toEqual(['U+002D', 'U+00A0', 'U+202F', 'U+2212'])
    const page = readFileSync(new URL('../../docs/api-design.md', import.meta.url), 'utf8')
    for (const named of ['U+00A0', 'U+202F', 'U+2212']) expect(page).toContain(named)
  })

  test.each(LANGUAGES)('formatAmount equals Intl in %s', (language) => {
    fc.assert(
      fc.property(fc.constantFrom(...currencies), amount, (currency, value) => {
        expect(formatAmount(language, currency, value)).toBe(intl(cldrTag(language), currency).format(value))
      }),
      { numRuns: 2000 },
    )
  })

  test('formatAmount equals Intl in every currency there is', () => {
    for (const language of LANGUAGES) {
      for (const currency of Intl.supportedValuesOf('currency')) {
        for (const value of [0, -1, 1234.5, -12_345.678, 1_234_567.005]) {
          expect(formatAmount(language, currency, value)).toBe(
            new Intl.NumberFormat(cldrTag(language), { style: 'currency', currency }).format(value),
          )
        }
      }
    }
  })

  test('halves are rounded away from zero, on the digits people see', () => {
    expect(formatAmount('en', 'USD', 1.005)).toBe('$1.01')
    expect(formatAmount('en', 'USD', -1.005)).toBe('-$1.01')
    expect(formatAmount('en', 'USD', 0.125)).toBe('$0.13')
    expect(formatAmount('en', 'USD', 0.375)).toBe('$0.38')
    expect(formatAmount('en', 'USD', 1.0049999)).toBe('$1.00')
  })

  test('no has the rules of Norwegian Bokmål', () => {
    fc.assert(
      fc.property(fc.constantFrom(...currencies), amount, (currency, value) => {
        expect(formatAmount('no', currency, value)).toBe(intl('nb', currency).format(value))
      }),
    )
  })

  test('a text that is no currency code never fails', () => {
    expect(formatAmount('en', 'eur', 1234.5)).toBe('€1,234.50')
    expect(formatAmount('en', 'EURO', 1234.5)).toBe('1,234.50\u00a0EURO')
    expect(formatAmount('de', 'lei vechi', -3)).toBe('-3,00\u00a0lei vechi')
    expect(formatAmount('en', '', 3)).toBe('3.00')
    expect(formatAmount('en', '__proto__', 1e300)).toContain('__proto__')
  })
})

describe('isCurrency', () => {
  test('knows the codes of ISO 4217, in upper case', () => {
    for (const code of ['EUR', 'RON', 'NOK', 'USD', 'JPY', 'KWD', 'CHF']) expect(isCurrency(code)).toBe(true)
    for (const code of ['', 'eur', 'EURO', 'E1R', 'QQQ', '€', 'constructor'])
      expect(isCurrency(code)).toBe(false)
  })
})

describe('ruling 25: capitals by the rules of the language', () => {
  test('Turkish has two kinds of i', () => {
    expect(upperCase('tr', 'ismail ışık')).toBe('İSMAİL IŞIK')
    expect(upperCase('en', 'ismail')).toBe('ISMAIL')
  })

  test('Greek capitals have no accents', () => {
    expect(upperCase('el', 'Γιώργος Παπαδόπουλος')).toBe('ΓΙΩΡΓΟΣ ΠΑΠΑΔΟΠΟΥΛΟΣ')
    expect(upperCase('el', 'Μαΐου')).toBe('ΜΑΪΟΥ')
  })

  test('the others share the plain rules', () => {
    expect(upperCase('de', 'Groß')).toBe('GROSS')
    expect(upperCase('ro', 'Ștefan Țăndărică')).toBe('ȘTEFAN ȚĂNDĂRICĂ')
    fc.assert(
      fc.property(fc.constantFrom(...LANGUAGES), fc.string({ unit: 'grapheme' }), (language, text) => {
        expect(upperCase(language, text)).toBe(text.toLocaleUpperCase(language))
      }),
    )
  })
})
