/** Numbers and amounts as people read them. */

/** Browsers know Norwegian by its written form, and few know Icelandic, which writes numbers and days as Danish does. */
export const tagOf = (language: string) => (language === 'no' ? 'nb' : language === 'is' ? 'da' : language)

export const numberText = (value: number, language: string): string =>
  new Intl.NumberFormat(tagOf(language)).format(value)

/** @param currencyDisplay `code`: with the currency's code in place of its sign */
export const amountText = (
  value: number,
  currency: string,
  language: string,
  currencyDisplay: 'symbol' | 'code' = 'symbol',
): string =>
  new Intl.NumberFormat(tagOf(language), { style: 'currency', currency, currencyDisplay }).format(value)

/** Without the currency, which is the heading of its column. */
export const amountInColumn = (value: number, currency: string, language: string): string =>
  new Intl.NumberFormat(tagOf(language), { style: 'currency', currency })
    .formatToParts(value)
    .filter(({ type }) => type !== 'currency' && type !== 'literal')
    .map((part) => part.value)
    .join('')
