/** How people of a language write days, numbers and amounts: an own reading, which owes nothing to the console. */

const DAY_MS = 86_400_000

/** @param day `YYYY-MM-DD` */
export const addDays = (day: string, count: number): string =>
  new Date(Date.parse(`${day}T00:00:00Z`) + count * DAY_MS).toISOString().slice(0, 10)

/** Chromium has no Icelandic, whose numbers and days are written as in Danish. */
const tagOf = (language: string) => (language === 'no' ? 'nb' : language === 'is' ? 'da' : language)

export interface Written {
  /** @param day `YYYY-MM-DD` */
  day(day: string): string
  number(value: number): string
  amount(value: number, currency: string): string
  /** with the code of the currency in place of its sign */
  amountWithCode(value: number, currency: string): string
  /** without the currency, in the column of its currency */
  amountAlone(value: number, currency: string): string
  /** the local day of a moment, `YYYY-MM-DD` */
  localDay(moment: string): string
  /** its local time, `HH:MM` */
  localTime(moment: string): string
}

export function writtenIn(language: string, zone: string): Written {
  const tag = tagOf(language)
  const days = new Intl.DateTimeFormat(tag, {
    day: '2-digit',
    month: '2-digit',
    year: 'numeric',
    timeZone: 'UTC',
  })
  const numbers = new Intl.NumberFormat(tag)
  // Swedish writes days in this order.
  const local = new Intl.DateTimeFormat('sv', {
    timeZone: zone,
    day: '2-digit',
    month: '2-digit',
    year: 'numeric',
  })
  const times = new Intl.DateTimeFormat('sv', { timeZone: zone, hour: '2-digit', minute: '2-digit' })
  return {
    day: (day) => days.format(Date.parse(`${day}T00:00:00Z`)),
    number: (value) => numbers.format(value),
    amount: (value, currency) => new Intl.NumberFormat(tag, { style: 'currency', currency }).format(value),
    amountWithCode: (value, currency) =>
      new Intl.NumberFormat(tag, { style: 'currency', currency, currencyDisplay: 'code' }).format(value),
    amountAlone(value, currency) {
      const { maximumFractionDigits: digits = 2 } = new Intl.NumberFormat('en', {
        style: 'currency',
        currency,
      }).resolvedOptions()
      return new Intl.NumberFormat(tag, {
        minimumFractionDigits: digits,
        maximumFractionDigits: digits,
      }).format(value)
    },
    localDay: (moment) => local.format(Date.parse(moment)),
    localTime: (moment) => times.format(Date.parse(moment)),
  }
}
