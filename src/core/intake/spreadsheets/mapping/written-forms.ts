/** The forms in which people write dates, times, yes and no, as far as a mapping can declare them. */

import { LANGUAGES } from '../../../locale/languages.ts'
import { dateFormat, ISO, readDate, readTime, timeFormat, withoutWeekday, withTimes } from './formats.ts'
import { mayBeValue } from './text-lengths.ts'
import { withoutZone } from './time-zones.ts'
import { foldWord } from './words.ts'

/** A time with AM or PM, as a mapping declares it. */
export const HALVES = 'h:mm A'
const DATES = [
  'DD.MM.YYYY',
  'DD/MM/YYYY',
  'MM/DD/YYYY',
  'DD-MM-YYYY',
  'MM-DD-YYYY',
  'DD. MM. YYYY',
  'DD. MM. YYYY.',
  'DD.MM.YYYY.',
  'YYYY/MM/DD',
  'YYYY.MM.DD',
  'YYYY.MM.DD.',
  'YYYY. MM. DD.',
  'DD MM YYYY',
  'DD.MM.YY',
  'DD/MM/YY',
  'MM/DD/YY',
  'DD-MM-YY',
  'MM-DD-YY',
  'YY.MM.DD',
  'YY/MM/DD',
  'YY-MM-DD',
  'YYYYMMDD',
  'YYYY年MM月DD日',
]
/** Hardly anybody writes these, so they are no advice; but a proposal may not read a date as if nobody did. */
const RARE_DATES = ['MM.DD.YYYY', 'MM.DD.YY']
/** With the name of the month. */
const WORD_DATES = ['D MMM YYYY', 'MMM D YYYY', 'YYYY MMM D', 'D MMM YY', 'MMM D YY']
const TIMES = ['HH:mm', 'HH:mm:ss', HALVES, 'h:mm:ss A', 'HH.mm']
/** Of all languages of the service, and check marks. */
const TRUE: ReadonlySet<string> = new Set(
  (
    'ja yes oui da si sí sim tak igen vrai wahr x j y o t on ano áno kyllä já evet да так ναι jah verdadero vero verdadeiro ' +
    'adevărat prawda igaz sant sann tosi doğru истина правда ✓ ✔ ☑ ✅ 🗸 🗹 √ ☒'
  ).split(' '),
)
const FALSE: ReadonlySet<string> = new Set(
  (
    'nein no non nu não nie nem faux falsch n f off nee nej nei ne ei hayır нет ні не όχι falso fals fałsz hamis falsk epätosi ' +
    'yanlış ложь ✗ ✘ ☐ ❌ ❎ ✖ ⬜ □'
  ).split(' '),
)

/** A box with a cross is checked next to empty boxes, and crossed out next to check marks. */
export const meaningsDiffer = (words: ReadonlySet<string>): boolean =>
  words.has('☒') && ['✓', '✔', '☑', '✅', '🗸', '🗹', '√'].some((mark) => words.has(mark))

const known = <T>(formats: (T | undefined)[]) => formats.filter((format) => format !== undefined)
const times = known(TIMES.map(timeFormat))
const compiled = (texts: readonly string[]) =>
  texts.map((text) => ({ text, read: withTimes(known([dateFormat(text)]), times) }))
const digitFormats = compiled([ISO, ...DATES])
const rareFormats = compiled(RARE_DATES)
const wordFormats = compiled(WORD_DATES)
/** For names of months that mean different months in different languages. */
const languageFormats = LANGUAGES.flatMap((language) =>
  compiled(WORD_DATES.map((format) => format.replace('MMM', `MMM(${language})`))),
)

/**
 * The formats in which a text is an existing date, with or without a time.
 * @param hasRare whether formats that hardly anybody uses are among them
 */
export function dateFormatsOf(written: string, hasRare = false): string[] {
  if (!mayBeValue(written)) return []
  const text = withoutWeekday(withoutZone(written).text)
  const fitting = (formats: typeof digitFormats) =>
    formats.filter(({ read }) => readDate(text, read) !== undefined).map((format) => format.text)
  if (!/\p{L}{3}/u.test(text.replace(/[ap]\.?m\.?$/i, '')))
    return [...fitting(digitFormats), ...(hasRare ? fitting(rareFormats) : [])]
  const found = fitting(wordFormats)
  return found.length > 0 ? found : fitting(languageFormats)
}

/** The format of a time of day alone; undefined for other texts. */
export const timeFormatOf = (text: string): string | undefined =>
  text.length > 12 ? undefined : times.find((format) => readTime(text, [format]) !== undefined)?.text

/** Whether a time has AM or PM, which a mapping must declare because it is not read by default. */
export const hasHalves = (text: string): boolean => mayBeValue(text) && /\d\s?[ap]\.?\s?m\.?$/i.test(text)

/** The meaning of a word for yes or no; undefined for other words. */
export function meaningOf(word: string): boolean | undefined {
  if (!mayBeValue(word)) return undefined
  const folded = foldWord(word)
  if (folded === 'true' || TRUE.has(folded)) return true
  return folded === 'false' || FALSE.has(folded) ? false : undefined
}
