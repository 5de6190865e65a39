/** What the cells of a column are, whatever its heading says. */
import { clash, dateOrder, ISO } from '../mapping/formats.ts'
import { languagesOfMonth } from '../mapping/month-names.ts'
import { type Decimals, hasTwoReadings, readNumber } from '../mapping/numbers.ts'
import { withoutZone } from '../mapping/time-zones.ts'
import { foldWord, onceEach } from '../mapping/words.ts'
import { dateFormatsOf, HALVES, hasHalves, meaningOf, meaningsDiffer } from '../mapping/written-forms.ts'
import { type Cell, valueText } from '../tables/table.ts'

const SAMPLES = 3
/** A column with more different words than this is not a list of words. */
export const WORDS_MAX = 25

export interface Profile {
  readonly name: string
  /** Counted from 0. */
  readonly column: number
  /** The cells as text, row by row; empty ones are ''. */
  readonly texts: readonly string[]
  /** The first different texts. */
  readonly samples: readonly string[]
  /** The different texts, at most `WORDS_MAX` + 1. */
  readonly words: readonly string[]
  readonly filled: number
  readonly distinct: number
  readonly isUnique: boolean
  readonly isFilled: boolean
  readonly dates: Dates | undefined
  readonly numbers: Numbers | undefined
  /** Whether all values are words for yes and no, or 1 and 0. */
  readonly flags: 'words' | 'digits' | undefined
}

export interface Dates {
  /** The share of the cells that are dates, 0 to 1. */
  readonly share: number
  /** The formats that together read every date, except YYYY-MM-DD; several alternatives if the dates are ambiguous. */
  readonly ways: readonly (readonly string[])[]
  /** Whether days and months are in two orders, so that no mapping can read all dates. */
  readonly isMixed: boolean
  /** Whether each date has a time of day. */
  readonly hasTimes: boolean
  readonly hasHalves: boolean
  /** A text that has several readings, to ask with. */
  readonly example: string | undefined
}

export interface Numbers {
  /** The share of the cells that are numbers, 0 to 1. */
  readonly share: number
  /** The decimal separators in which every number can be read; both for whole numbers, and for 1.250. */
  readonly decimals: readonly Decimals[]
  /** Texts that are thousands or decimals: `1.250`. */
  readonly twoReadings: readonly string[]
  /** The smallest and the largest one. */
  readonly range: readonly [number, number]
  /** Whether the cells are numbers of a workbook, which have only one reading. */
  readonly isTyped: boolean
}

export function profileOf(name: string, column: number, cells: readonly (Cell | undefined)[]): Profile {
  const texts = cells.map(valueText)
  const given = texts.filter((text) => text !== '')
  const different = new Set(given)
  const words = [...different].slice(0, WORDS_MAX + 1)
  const typed = cells.filter((cell) => typeof cell === 'number').length
  return {
    name,
    column,
    texts,
    samples: [...different].slice(0, SAMPLES),
    words,
    filled: given.length,
    distinct: different.size,
    isUnique: given.length > 0 && different.size === given.length,
    isFilled: given.length === cells.length && given.length > 0,
    dates: typed === given.length ? undefined : datesOf(different),
    numbers: numbersOf(given, typed),
    flags: flagsOf(words),
  }
}

function flagsOf(words: readonly string[]): Profile['flags'] {
  const different = new Set(words.map(foldWord))
  if (different.size === 0 || different.size > 4 || meaningsDiffer(different)) return undefined
  if (words.every((word) => word === '0' || word === '1')) return 'digits'
  return words.every((word) => meaningOf(word) !== undefined) ? 'words' : undefined
}

/** The meanings of the words for yes and no, as a mapping declares them; undefined if they are `true` and `false`. */
export function booleansOf(words: readonly string[]): { true: unknown; false: unknown } | undefined {
  const meaning = (wanted: boolean) => {
    const found = words.filter(
      (word) => (word === '1' ? true : word === '0' ? false : meaningOf(word)) === wanted,
    )
    const list = onceEach(found).map((word) => (/^[01]$/.test(word) ? Number(word) : word))
    return list.length === 1 ? list[0] : list
  }
  const isNamed = words.some((word) => !['true', 'false'].includes(foldWord(word)))
  return isNamed ? { true: meaning(true), false: meaning(false) } : undefined
}

function numbersOf(given: readonly string[], typed: number): Numbers | undefined {
  const readings = given.map((text) => ({
    text,
    point: readNumber(text, '.'),
    comma: readNumber(text, ','),
  }))
  const known = readings.filter(({ point, comma }) => point !== undefined || comma !== undefined)
  if (known.length === 0) return undefined
  const isTyped = typed === given.length
  const decimals = ([',', '.'] as const).filter((sign) =>
    known.every(({ point, comma }) => (sign === ',' ? comma : point) !== undefined),
  )
  const values = known.map(
    ({ point, comma }) => (decimals.includes('.') ? point : comma) ?? point ?? comma ?? 0,
  )
  return {
    share: known.length / given.length,
    decimals: isTyped ? ['.', ','] : decimals,
    twoReadings: isTyped ? [] : known.filter(({ text }) => hasTwoReadings(text)).map(({ text }) => text),
    range: [
      values.reduce((least, value) => Math.min(least, value), Number.POSITIVE_INFINITY),
      values.reduce((most, value) => Math.max(most, value), Number.NEGATIVE_INFINITY),
    ],
    isTyped,
  }
}

/** After a time: `+0530`, ` -03`. */
const OFFSET = /(\d:\d{2}(?::\d{2}(?:\.\d+)?)?) ?[+-]\d{2}(?::?\d{2})?$/

/** What the texts have in common as dates; undefined if none is a date. */
function datesOf(texts: ReadonlySet<string>): Dates | undefined {
  const written: { text: string; fitting: string[] }[] = []
  let dates = 0
  for (const text of texts) {
    const fitting = !/\d/.test(text) ? [] : dateFormatsOf(text, true)
    if (fitting.length === 0) continue
    dates += 1
    if (!fitting.includes(ISO)) written.push({ text, fitting })
  }
  if (dates === 0) return undefined
  const all = [...texts].map((text) => withoutZone(text).text.replace(OFFSET, '$1'))
  const isDate = (text: string) => /\d/.test(text)
  const facts = {
    share: dates / texts.size,
    hasTimes: all
      .filter(isDate)
      .every(
        (text) =>
          /\d[:.]\d{2}(?:[:.]\d{2})?[^.\d]*$/.test(text) &&
          text.includes(':') &&
          !/[ T]00:00(?::00(?:\.0+)?)?Z?$/.test(text),
      ),
    hasHalves: all.some(hasHalves),
  }
  const [first, ...others] = written
  if (first === undefined) return { ...facts, ways: [[]], isMixed: false, example: undefined }
  const common = others.reduce(
    (same, { fitting }) => same.filter((format) => fitting.includes(format)),
    first.fitting,
  )
  if (common.length > 0) {
    return { ...facts, ways: withLanguages(common, all), isMixed: false, example: first.text }
  }
  // Texts that only one format reads decide which formats occur, and the order of day and month in the others.
  const formats = new Set(
    written.filter(({ fitting }) => fitting.length === 1).flatMap(({ fitting }) => fitting),
  )
  for (const { fitting } of written) {
    if (fitting.some((format) => formats.has(format))) continue
    const isAlike = (format: string) => [...formats].some((sure) => dateOrder(sure) === dateOrder(format))
    formats.add(fitting.find(isAlike) ?? fitting[0] ?? '')
  }
  const list = [...formats]
  return {
    ...facts,
    ways: [list],
    isMixed: list.some((one) => list.some((other) => clash(one, other))),
    example: first.text,
  }
}

/** One way for each format; for names of months that differ between languages, one for each meaning. */
function withLanguages(formats: readonly string[], texts: readonly string[]): string[][] {
  const byLanguage = formats.filter((format) => format.includes('('))
  const free = formats.filter((format) => !format.includes('('))
  if (free.length > 0 || byLanguage.length < 2)
    return (free.length > 0 ? free : byLanguage).map((format) => [format])
  // Languages that read all texts as the same days are one way.
  const months = (format: string) => {
    const language = /\(([^()]{1,20})\)/.exec(format)?.[1] ?? ''
    return texts
      .flatMap((text) =>
        [...text.matchAll(/\p{L}[\p{L}\p{M}.]*/gu)].map(([word]) => languagesOfMonth(word).get(language)),
      )
      .join(' ')
  }
  return [...Map.groupBy(byLanguage, months).values()].map(([format = '']) => [format])
}

/** The declaration that times such as `3:00 PM` need. */
export const TIMES_WITH_HALVES = { times: ['HH:mm', 'HH:mm:ss', HALVES] }
