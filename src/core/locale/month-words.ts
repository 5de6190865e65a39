/** The names of months, as spreadsheet programs of the languages recognize them in a text. */
import { LANGUAGES } from './languages.ts'

let known: ReadonlySet<string> | undefined

/** Whether a word is the name of a month in one of the languages, or the beginning of one: `Mar`, `sept`, `Juni`. */
export function isMonthName(word: string): boolean {
  if (word === '') return false
  known ??= monthWords()
  return known.has(word.toLowerCase())
}

function monthWords(): ReadonlySet<string> {
  const words = new Set(['sept'])
  const months = Array.from({ length: 12 }, (_, month) => new Date(Date.UTC(2026, month, 15)))
  for (const language of LANGUAGES) {
    for (const month of ['short', 'long'] as const) {
      const format = new Intl.DateTimeFormat(language, { month, day: 'numeric', timeZone: 'UTC' })
      for (const date of months) {
        const name = format.formatToParts(date).find(({ type }) => type === 'month')?.value ?? ''
        words.add(name.toLowerCase().replace(/\.$/, ''))
      }
    }
  }
  return words
}
