/**
 * The names of months and weekdays in the languages of the service, short and long, as people and programs write them in
 * dates. From CLDR, through `Intl`.
 */
import { intlTag, LANGUAGES } from '../../../locale/languages.ts'
import { plainWord } from './words.ts'

/** Short forms that programs use and CLDR does not have. */
const OTHERS: Readonly<Record<string, number>> = {
  sept: 9,
  june: 6,
  july: 7,
  juin: 6,
  okt: 10,
  oct: 10,
  dez: 12,
}

/** Words inside dates that carry no value: `16 de enero de 2026`, `2026 г.`, `the 3rd of May`. */
const PARTICLES = new Set(
  'de del of the den d г р року года год st nd rd th er º um at kl ob v w a om à о'.split(' ').map(plainWord),
)

/** The months that a word means, with the languages in which it means them. */
type Months = ReadonlyMap<number, ReadonlySet<string>>

interface Words {
  /** By folded word. */
  readonly months: ReadonlyMap<string, Months>
  readonly weekdays: ReadonlySet<string>
}

let known: Words | undefined

/** Built at the first date with a word: most imports never need them. */
function wordsOf(): Words {
  if (known !== undefined) return known
  const months = new Map<string, Map<number, Set<string>>>()
  const weekdays = new Set<string>()
  const learn = (text: string, month: number, language: string) => {
    const word = plainWord(text)
    if (word === '' || /\d/.test(word)) return
    const meanings = months.get(word) ?? new Map<number, Set<string>>()
    meanings.set(month, (meanings.get(month) ?? new Set()).add(language))
    months.set(word, meanings)
  }
  for (const language of LANGUAGES) {
    const tag = intlTag(language)
    for (const width of ['long', 'short'] as const) {
      // With a day, many languages write the month in another case: `16 stycznia`, but `styczeń`.
      const forms = [
        new Intl.DateTimeFormat(tag, { month: width, timeZone: 'UTC' }),
        new Intl.DateTimeFormat(tag, { day: 'numeric', month: width, timeZone: 'UTC' }),
        new Intl.DateTimeFormat(tag, { day: 'numeric', month: width, year: 'numeric', timeZone: 'UTC' }),
      ]
      for (let month = 1; month <= 12; month += 1) {
        for (const form of forms) {
          const parts = form.formatToParts(Date.UTC(2026, month - 1, 15))
          learn(parts.find(({ type }) => type === 'month')?.value ?? '', month, language)
        }
      }
      const weekday = new Intl.DateTimeFormat(tag, { weekday: width, timeZone: 'UTC' })
      for (let day = 1; day <= 7; day += 1) weekdays.add(plainWord(weekday.format(Date.UTC(2026, 0, day))))
    }
  }
  for (const [word, month] of Object.entries(OTHERS)) if (!months.has(word)) learn(word, month, 'en')
  known = { months, weekdays }
  return known
}

/** A word or a number of a date. */
interface DateWord {
  readonly word: string
  readonly isNumber: boolean
  readonly months: Months
  /** Whether it carries no value: a weekday, or a particle. */
  readonly isFiller: boolean
}

/** More than `Monday, the 16th of November of the year 2026` has. */
const WORDS_MAX = 20
const NO_MONTHS: Months = new Map()

/** Texts that were divided before: each is read in up to a hundred formats, one after the other. */
const divided = new Map<string, readonly DateWord[]>()
const DIVIDED_MAX = 100

/** The words and numbers of a date; none if the text has more than a date. */
export function wordsIn(text: string): readonly DateWord[] {
  const before = divided.get(text)
  if (before !== undefined) return before
  const words: DateWord[] = []
  for (const [word] of text.matchAll(/\d+|\p{L}[\p{L}\p{M}.'’]*|[^\d\s\p{L}.,\-/]/gu)) {
    const plain = plainWord(word)
    words.push({
      word,
      isNumber: /^\d/.test(word),
      months: wordsOf().months.get(plain) ?? NO_MONTHS,
      isFiller: PARTICLES.has(plain) || wordsOf().weekdays.has(plain),
    })
    if (words.length <= WORDS_MAX) continue
    words.length = 0
    break
  }
  if (divided.size >= DIVIDED_MAX) divided.clear()
  divided.set(text, words)
  return words
}

/**
 * The months that a word means. Most words mean one; `listopad` is October in Croatian and November in Polish and Czech.
 * @param language the only language to look in
 * @returns 1 to 12; empty for other words
 */
export const monthsIn = (months: Months, language?: string): readonly number[] =>
  [...months].flatMap(([month, languages]) =>
    language === undefined || languages.has(language) ? [month] : [],
  )

/** The languages in which a word is the name of a month, with that month. */
export function languagesOfMonth(word: string): ReadonlyMap<string, number> {
  const meanings = wordsOf().months.get(plainWord(word)) ?? NO_MONTHS
  return new Map(
    [...meanings].flatMap(([month, languages]) => [...languages].map((one) => [one, month] as const)),
  )
}

export const isWeekday = (word: string): boolean => wordsOf().weekdays.has(plainWord(word))
