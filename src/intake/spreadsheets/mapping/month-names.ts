/**
 * The names of months and weekdays in the languages of the service, short and long, as people and programs write them in
 * dates. From CLDR, through `Intl`.
 */
import { LANGUAGES } from '../../../locale/languages.ts'
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

/** By folded word: the months that it means, with the languages in which it means them. */
type Names = ReadonlyMap<string, ReadonlyMap<number, ReadonlySet<string>>>

interface Words {
  readonly months: Names
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
    const tag = language === 'no' ? 'nb' : language
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

/**
 * The months that a word means. Most words mean one; `listopad` is October in Croatian and November in Polish and Czech.
 * @param language the only language to look in
 * @returns 1 to 12; empty for other words
 */
export function monthsNamed(word: string, language?: string): readonly number[] {
  const meanings = wordsOf().months.get(plainWord(word))
  if (meanings === undefined) return []
  return [...meanings].flatMap(([month, languages]) =>
    language === undefined || languages.has(language) ? [month] : [],
  )
}

/** The languages in which a word is the name of a month, with that month. */
export function languagesOfMonth(word: string): ReadonlyMap<string, number> {
  const meanings = wordsOf().months.get(plainWord(word)) ?? new Map<number, ReadonlySet<string>>()
  return new Map(
    [...meanings].flatMap(([month, languages]) => [...languages].map((one) => [one, month] as const)),
  )
}

export const isWeekday = (word: string): boolean => wordsOf().weekdays.has(plainWord(word))

/** Whether a word in a date carries no value: a weekday, or a particle. */
export const isFiller = (word: string): boolean => PARTICLES.has(plainWord(word)) || isWeekday(word)
