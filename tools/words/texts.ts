/** The translated texts of the project: where they are, and which of them were made from an older English text. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import fieldLabels from '../../src/core/locale/field-labels.json' with { type: 'json' }
import { LANGUAGES, type Language } from '../../src/core/locale/languages.ts'

const ROOT = join(import.meta.dirname, '..', '..')

/** The file that says from which English text each translation was made. */
export const RECORD = join(import.meta.dirname, 'translated-from.json')

/** A text, or its forms for a count. */
export type Text = string | Readonly<Record<string, string>>

/** All languages but English, from which they are translated. */
export const TRANSLATED = LANGUAGES.filter((language) => language !== 'en')

/**
 * All texts of a language, by catalogue and key: `console/words guests`, `src/core/locale/labels status.paid`,
 * `src/core/locale/questions dashes`, `src/core/locale/field-labels firstName`.
 */
export function textsOf(language: Language): ReadonlyMap<string, Text> {
  const texts = new Map<string, Text>()
  const words = readJson<Record<string, Text>>('console', 'words', `${language}.json`)
  for (const [key, text] of Object.entries(words)) texts.set(`console/words ${key}`, text)
  const labels = readJson<Record<string, Record<string, string>>>(
    'src',
    'core',
    'locale',
    'labels',
    `${language}.json`,
  )
  for (const [kind, values] of Object.entries(labels)) {
    for (const [value, text] of Object.entries(values))
      texts.set(`src/core/locale/labels ${kind}.${value}`, text)
  }
  const questions = readJson<Record<string, string>>('src', 'core', 'locale', 'questions', `${language}.json`)
  for (const [key, text] of Object.entries(questions)) texts.set(`src/core/locale/questions ${key}`, text)
  for (const [field, names] of Object.entries(fieldLabels)) {
    texts.set(`src/core/locale/field-labels ${field}`, names[language])
  }
  return texts
}

/**
 * By key, the English text from which the translations were made: one for all languages, or one for each language if
 * they differ. The forms for a count are one text.
 */
export type TranslatedFrom = Readonly<Record<string, string | Readonly<Partial<Record<Language, string>>>>>

export const readRecord = (): TranslatedFrom => JSON.parse(readFileSync(RECORD, 'utf8')) as TranslatedFrom

/** A translation that was made from another English text than the present one. */
export interface Lag {
  readonly language: Language
  readonly key: string
  /** undefined if it was never translated */
  readonly from: string | undefined
  readonly english: string
}

/** @returns what has to be translated again, in the order of the English catalogues */
export function lagsOf(record: TranslatedFrom, english: ReadonlyMap<string, Text>): readonly Lag[] {
  return [...english].flatMap(([key, text]) =>
    TRANSLATED.map((language) => ({
      language,
      key,
      from: fromOf(record, key, language),
      english: asOne(text),
    })).filter((lag) => lag.from !== lag.english),
  )
}

/**
 * Records that translations were made from the present English text.
 * @param done languages and full keys; keys that are no longer in English are dropped
 */
export function recordTranslated(
  record: TranslatedFrom,
  english: ReadonlyMap<string, Text>,
  done: ReadonlyMap<Language, ReadonlySet<string>>,
): TranslatedFrom {
  const entries = [...english].flatMap(([key, text]) => {
    const made = TRANSLATED.flatMap((language): [Language, string][] => {
      const from = done.get(language)?.has(key) ? asOne(text) : fromOf(record, key, language)
      return from === undefined ? [] : [[language, from]]
    })
    const first = made[0]?.[1]
    if (first === undefined) return []
    const isOne = made.length === TRANSLATED.length && made.every(([, from]) => from === first)
    return [[key, isOne ? first : Object.fromEntries(made)]]
  })
  return Object.fromEntries(entries) as TranslatedFrom
}

const fromOf = (record: TranslatedFrom, key: string, language: Language): string | undefined => {
  const from = Object.hasOwn(record, key) ? record[key] : undefined
  return typeof from === 'object' ? from[language] : from
}

const asOne = (text: Text): string => (typeof text === 'string' ? text : Object.values(text).join(' | '))

const readJson = <T>(...path: readonly string[]): T =>
  JSON.parse(readFileSync(join(ROOT, ...path), 'utf8')) as T
