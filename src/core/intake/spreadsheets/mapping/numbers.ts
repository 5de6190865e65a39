/** Numbers and amounts as people and programs write them: `1.000,50 €`, `1 000,50 kr`, `−50`, `(1,234.50)`. */
import { intlTag, LANGUAGES } from '../../../locale/languages.ts'
import { mayBeValue } from './text-lengths.ts'

export type Decimals = ',' | '.'

/** Apostrophes and spaces of all kinds separate thousands, as the dot and the comma do. */
const SEPARATORS = /[\s'’\u2019]/g
const NUMBER = { '.': /^\d+(?:\.\d+)?$/, ',': /^\d+(?:,\d+)?$/ }
const GROUPED = { '.': /^\d{1,3}(?:,\d{3})+(?:\.\d+)?$/, ',': /^\d{1,3}(?:\.\d{3})+(?:,\d+)?$/ }
/** One separator and three digits: thousands in some languages, decimals in others. */
const TWO_READINGS = /^\d{1,3}[.,]\d{3}$/

/** What is around the digits, and the sign. */
interface Parts {
  readonly isNegative: boolean
  /** Digits with their separators, without spaces. */
  readonly digits: string
}

/** @returns undefined if the text is not digits with a sign and a currency */
function partsOf(text: string): Parts | undefined {
  if (!mayBeValue(text)) return undefined
  const first = text.search(/\d/)
  if (first < 0) return undefined
  let last = text.length - 1
  while (!/\d/.test(text[last] ?? '')) last -= 1
  const [before, after] = [text.slice(0, first).trim(), text.slice(last + 1).trim()]
  // Accounting programs write negative amounts in brackets, or the sign after the number.
  const isBracketed = before.startsWith('(') && after.endsWith(')')
  const around = isBracketed ? [before.slice(1), after.slice(0, -1)] : [before, after]
  let signs = 0
  let isMinus = false
  for (const [at, part] of around.entries()) {
    const rest = part.replaceAll(/[-+\u2212\u2010-\u2013]/g, (sign) => {
      signs += 1
      isMinus ||= sign !== '+'
      return ''
    })
    const word = rest.trim()
    // `1.250,-` and `850.—` have no cents.
    if (word !== '' && !(at === 1 && /^[.,]$/.test(word)) && !isCurrency(word)) return undefined
  }
  if (signs > 1 || (isBracketed && signs > 0)) return undefined
  const isDash = signs === 1 && /^[.,]\s*[-\u2013\u2014\u2212]/.test(after)
  return {
    isNegative: isBracketed || (isMinus && !isDash),
    digits: text.slice(first, last + 1).replaceAll(SEPARATORS, ''),
  }
}

/**
 * Reads a number such as `1.000,50 €` or `1 000,50`. Currency symbols of CLDR and codes of ISO 4217 are ignored.
 * @returns undefined if the text is not a number
 */
export function readNumber(text: string, decimals: Decimals = '.'): number | undefined {
  const parts = partsOf(text)
  if (parts === undefined) return undefined
  let { digits } = parts
  if (GROUPED[decimals].test(digits)) digits = digits.replaceAll(decimals === ',' ? '.' : ',', '')
  else if (!NUMBER[decimals].test(digits)) return undefined
  const value = Number(digits.replace(',', '.'))
  return parts.isNegative ? -value : value
}

/** Whether a text is a number in both readings, with different values: `1.250` and `72,500`. */
export function hasTwoReadings(text: string): boolean {
  const parts = partsOf(text)
  return parts !== undefined && TWO_READINGS.test(parts.digits) && !/^0/.test(parts.digits)
}

/** Signs and abbreviations that programs and people write besides those of CLDR. */
const OTHERS = [
  'fr',
  'sfr',
  'lei',
  'leu',
  'rp',
  'kc',
  'kč',
  'zl',
  'zł',
  'kr',
  'ft',
  'лв',
  'ден',
  'руб',
  'грн',
  'tl',
  'eur',
  'euro',
  'usd',
]
/** Currencies whose symbols are looked up in each language. Others are recognized by their code or sign. */
const CURRENCIES =
  'EUR USD GBP CHF SEK NOK DKK ISK PLN CZK HUF RON BGN RSD HRK BAM MKD ALL TRY RUB UAH BYN MDL GEL ILS AED SAR EGP ZAR INR IDR THB MYR SGD PHP VND CNY JPY KRW HKD TWD AUD NZD CAD MXN BRL ARS CLP COP PEN'.split(
    ' ',
  )
let currencies: ReadonlySet<string> | undefined

/** Whether a text next to digits is a currency: a sign, a code of ISO 4217, or a symbol of CLDR such as `kr`, `zł`, `R$`. */
export function isCurrency(text: string): boolean {
  if (/^\p{Sc}$/u.test(text)) return true
  currencies ??= symbols()
  return currencies.has(foldSymbol(text))
}

const foldSymbol = (text: string) => text.toLowerCase().replaceAll(/[\s.]/g, '')

function symbols(): ReadonlySet<string> {
  const known = new Set(OTHERS)
  for (const code of Intl.supportedValuesOf('currency')) known.add(code.toLowerCase())
  for (const language of LANGUAGES) {
    for (const currency of CURRENCIES) {
      for (const currencyDisplay of ['symbol', 'narrowSymbol'] as const) {
        const format = new Intl.NumberFormat(intlTag(language), {
          style: 'currency',
          currency,
          currencyDisplay,
        })
        const symbol = format.formatToParts(1).find(({ type }) => type === 'currency')?.value ?? ''
        // A single letter next to digits is rather part of an identifier: `R1`.
        if (foldSymbol(symbol).length > 1) known.add(foldSymbol(symbol))
      }
    }
  }
  return known
}
