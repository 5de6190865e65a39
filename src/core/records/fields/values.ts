/**
 * The schemas of the values of records. Each is a TypeBox schema that also says in words what it expects (for the
 * problem report and the documentation), whether a refused value may be shown in a problem (never if it could be
 * personal), and in what form it is written.
 */
import Type, { type TSchema } from 'typebox'
import { isCurrency } from '../../locale/amounts.ts'
import { isLocalDate, parseMoment } from '../../locale/dates.ts'
import { parseLanguage } from '../../locale/languages.ts'
import type { Said, Sentence } from '../../locale/said.ts'
import { isTimeZone } from '../../locale/zones.ts'

/** What a value's schema contains in addition to JSON Schema. */
export interface ValueNotes {
  readonly description: string
  /** `a date (YYYY-MM-DD)`: completes "expected …". */
  readonly expects: Sentence
  /** whether the refused value may be shown: only for identifiers, dates and words of a list */
  readonly reveal?: boolean
  /** set if the value has its own format: some are converted by the import, or checked against their center */
  readonly form?: 'moment' | 'date' | 'time' | 'amount' | 'label'
}

/** Whether a text can be stored: PostgreSQL refuses NUL, and a lone surrogate would silently become U+FFFD. */
export function isStorable(text: string): boolean {
  return !text.includes('\0') && text.isWellFormed()
}

/** `__proto__` is refused because it has a special meaning on JavaScript objects. */
export const IDENTIFIER = '^(?!__proto__$)[A-Za-z0-9_.:-]{1,64}$'
export const TAKES_IDENTIFIER: Sentence = { key: 'takesIdentifier' }
/** A name that is used instead of a file. It has no dot and no slash, so it cannot be a path. */
const MAPPING_NAME = '^[A-Za-z0-9_-]{1,64}$'
const mappingNamePattern = new RegExp(MAPPING_NAME)
export const isMappingName = (text: string): boolean => mappingNamePattern.test(text)
const identifierPattern = new RegExp(IDENTIFIER)
export const isIdentifier = (value: unknown): value is string =>
  typeof value === 'string' && identifierPattern.test(value)

const notes = (description: string, expects: Sentence, more?: Partial<ValueNotes>): ValueNotes => ({
  description,
  expects,
  ...more,
})

/** Larger amounts are typing errors. Doubles distinguish all smaller amounts with three decimals. */
export const AMOUNT_MAX = 1e12

const textOf = (description: string, characters: number) =>
  Type.Refine(
    Type.String({
      maxLength: characters,
      ...notes(description, { key: 'takesText', values: { n: characters } }),
    }),
    isStorable,
  )

/** A name, an address line, a word: one line of text. */
export const text = (description: string) => textOf(description, 1000)

/** Text that must be present and not blank. */
export const filledText = (description: string) =>
  Type.Refine(
    Type.String({ maxLength: 1000, ...notes(description, { key: 'takesFilledText' }) }),
    (value) => isStorable(value) && value.trim() !== '',
  )

/** Notes and findings, which may have several pages. */
export const longText = (description: string) => textOf(description, 100_000)

/** Text that many systems store as a number (`floor`, `pin`): a number is accepted and stored as text. */
export const label = (description: string) =>
  Type.Refine(
    Type.Unsafe<string | number>({
      type: ['string', 'number'],
      maxLength: 1000,
      ...notes(description, { key: 'takesLabel' }, { form: 'label' }),
    }),
    (value) => (typeof value === 'number' ? Number.isFinite(value) : isStorable(value)),
  )

export const identifier = (description: string) =>
  Type.String({
    pattern: IDENTIFIER,
    ...notes(description, TAKES_IDENTIFIER, { reveal: true }),
  })

export const mappingName = (description: string) =>
  Type.String({
    pattern: MAPPING_NAME,
    ...notes(description, { english: '1 to 64 letters, digits, - and _' }, { reveal: true }),
  })

export const localDate = (description: string, more?: Partial<ValueNotes>) =>
  Type.Refine(
    Type.String({
      ...notes(description, { key: 'takesDate' }, { reveal: true, form: 'date', ...more }),
    }),
    isLocalDate,
  )

export const moment = (description: string) =>
  Type.Refine(
    Type.String({
      ...notes(description, { key: 'takesMoment' }, { reveal: true, form: 'moment' }),
    }),
    (value) => isLocalDate(value) || parseMoment(value, 'UTC') !== undefined,
  )

const refined = (description: string, expects: Sentence, isValid: (value: string) => boolean) =>
  Type.Refine(Type.String({ ...notes(description, expects, { reveal: true }) }), isValid)

export const timeOfDay = (description: string) =>
  Type.Refine(
    Type.String({ ...notes(description, { key: 'takesTime' }, { reveal: true, form: 'time' }) }),
    (value) => /^([01]\d|2[0-3]):[0-5]\d$/.test(value),
  )

/** @param weekdays in English, in lower case */
export const weekdayOrDate = (description: string, weekdays: readonly string[]) =>
  refined(
    description,
    { english: `a date that exists (YYYY-MM-DD), or one of ${weekdays.join(', ')}` },
    (value) => weekdays.includes(value) || isLocalDate(value),
  )

/** A moment with the precision of the database, in the only format in which it is written. */
export const microsecondMoment = (description: string) =>
  refined(
    description,
    { english: 'a moment in UTC with six decimals such as 2025-01-15T08:00:00.000000Z' },
    (value) => /^.{19}\.\d{6}Z$/.test(value) && parseMoment(value, 'UTC') !== undefined,
  )

/** A SHA-256. */
export const hash = (description: string) =>
  refined(description, { english: '64 hexadecimal digits in lower case' }, (value) =>
    /^[0-9a-f]{64}$/.test(value),
  )

export const amount = (description: string) =>
  Type.Number({
    minimum: -AMOUNT_MAX,
    maximum: AMOUNT_MAX,
    ...notes(description, { key: 'takesAmount' }, { form: 'amount' }),
  })

export const number = (description: string) =>
  Type.Number({
    minimum: -1e9,
    maximum: 1e9,
    ...notes(description, { key: 'takesNumber' }),
  })

export const integer = (description: string, minimum: number, maximum: number) =>
  Type.Integer({
    minimum,
    maximum,
    ...notes(description, { key: 'takesInteger', values: { minimum, maximum } }, { reveal: true }),
  })

export const TRUE_OR_FALSE: Sentence = { key: 'trueOrFalse' }

export const flag = (description: string) => Type.Boolean({ ...notes(description, TRUE_OR_FALSE) })

export const oneOfWords = (words: readonly Said[]): Sentence => ({
  key: 'takesOneOf',
  values: { words: { list: words, by: ', ' } },
})

export const oneOf = <const Values extends string[]>(description: string, values: Values) =>
  Type.Enum(values, { ...notes(description, oneOfWords(values), { reveal: true }) })

export const timeZone = (description: string) =>
  refined(description, { english: 'an IANA time zone such as Europe/Bucharest' }, isTimeZone)

export const currency = (description: string) => refined(description, { key: 'takesCurrency' }, isCurrency)

export const locale = (description: string) =>
  refined(description, { key: 'takesLanguage' }, (tag) => parseLanguage(tag) !== undefined)

/**
 * The pattern of automatic booking identifiers. Without `BN`, every booking of a session would get the same identifier,
 * and the database would search for a free one forever.
 */
export const bookingIdFormat = (description: string) =>
  refined(
    description,
    { english: 'text of 1 to 64 characters that contains BN, such as YY-SN-BN' },
    (format) => /^\P{Cc}{1,64}$/u.test(format) && format.includes('BN'),
  )

export const list = <Item extends TSchema>(description: string, item: Item, maxItems = 1000) =>
  Type.Array(item, { maxItems, ...notes(description, { english: `a list of at most ${maxItems} values` }) })

/** A list without repeated values: a repeated identifier is a mistake. */
export const uniqueList = <Item extends TSchema>(description: string, item: Item, maxItems = 1000) =>
  Type.Array(item, {
    maxItems,
    uniqueItems: true,
    ...notes(description, { english: `a list of at most ${maxItems} values, each once` }),
  })

/** The names of a term by language tag. */
export const namesByLanguage = (description: string) =>
  Type.Refine(
    Type.Record(Type.String({ pattern: '^[A-Za-z]{2,3}([-_][A-Za-z0-9]{1,8})*$' }), filledText('Name.'), {
      ...notes(description, {
        english: 'an object of language tags, each language once, and names: {"ro": "…", "no": "…"}',
      }),
    }),
    (names) => {
      const languages = Object.keys(names).map(languageCode)
      return new Set(languages).size === languages.length
    },
  )

/** The key under which names are stored: `no` for `nb-NO`. */
export const languageCode = (tag: string) => parseLanguage(tag) ?? tag.toLowerCase()

/** Custom values by key; each key's own type is checked against its metaField. */
export const metaValues = (description: string) =>
  Type.Record(
    Type.String({ pattern: IDENTIFIER }),
    Type.Refine(
      Type.Unsafe<string | number | boolean>({
        type: ['string', 'number', 'boolean'],
        maxLength: 10_000,
        ...notes('Value.', { english: 'text of at most 10000 characters, a number, true or false' }),
      }),
      (value) => typeof value !== 'string' || isStorable(value),
    ),
    { ...notes(description, { english: 'an object of custom fields and their values' }) },
  )
