/**
 * Texts for people with their values, and what they are in English: what an import asks, why it leaves a column out, and why it
 * refuses a row. `questions.ts` has the other languages, which a service that imports nothing does not load.
 */

import { fieldLabel } from './field-labels.ts'
import { intlTag, type Language } from './languages.ts'
import en from './questions/en.json' with { type: 'json' }

export type QuestionKey = keyof typeof en

/** A text of the catalogue with its values; or a text that is the same in all languages, as a name or a format. */
export type Said = string | Sentence | List | Day

/** A text of the catalogue, or one that has no translation. */
export type Sentence =
  | {
      readonly key: QuestionKey
      readonly values?: Readonly<Record<string, Value>>
    }
  | OnlyEnglish

/** A number is not grouped, because it counts rows or is one's number. */
type Value = Said | number | { readonly field: string }

/** `A, B and C`, or what a separator joins; or `A, B or C`. */
interface List {
  readonly list: readonly Said[]
  readonly by?: string
  readonly isChoice?: true
}
/** A day as people write it: `March 4, 2026`. */
interface Day {
  /** `YYYY-MM-DD` */
  readonly day: string
}
/** What rarely happens, and is not translated: a text with it is English as a whole. */
interface OnlyEnglish {
  readonly english: string
}

/** @param catalogue that of the language */
export function sayWith(said: Said, language: Language, catalogue: typeof en): string {
  const sayPart = (part: Said) => sayWith(part, language, catalogue)
  if (typeof said === 'string') return said
  if ('english' in said) return said.english
  if ('list' in said) {
    const parts = said.list.map(sayPart)
    if (said.by !== undefined) return parts.join(said.by)
    const type = said.isChoice === true ? 'disjunction' : 'conjunction'
    // American English has a comma before "and".
    return new Intl.ListFormat(language === 'en' ? 'en-GB' : intlTag(language), { type }).format(parts)
  }
  if ('day' in said) {
    return new Intl.DateTimeFormat(intlTag(language), {
      day: 'numeric',
      month: 'long',
      year: 'numeric',
      timeZone: 'UTC',
    }).format(new Date(said.day))
  }
  const { key, values = {} } = said
  return catalogue[key].replaceAll(/\{(\w+)\}/g, (whole, name: string) => {
    const value = Object.hasOwn(values, name) ? values[name] : undefined
    if (value === undefined) return whole
    if (typeof value === 'number') return String(value)
    return typeof value === 'object' && 'field' in value
      ? `"${fieldLabel(value.field, language) ?? value.field}"`
      : sayPart(value)
  })
}

/** As the mapping and the command write it. */
export const inEnglish = (said: Said): string => sayWith(said, 'en', en)

/** Whether no part of it is in English only. */
export function isTranslated(said: Value): boolean {
  if (typeof said !== 'object' || 'field' in said || 'day' in said) return true
  if ('english' in said) return false
  return 'list' in said ? said.list.every(isTranslated) : Object.values(said.values ?? {}).every(isTranslated)
}

/** Why something is refused: in English, and as it is said in any language. */
export interface Reason {
  readonly message: string
  readonly says: Sentence
}

export const reason = (says: Sentence): Reason => ({ message: inEnglish(says), says })

/** A reason that is not translated. A test lists them. */
export const onlyEnglish = (english: string): Reason => ({ message: english, says: { english } })

/** Why a field is refused. */
export interface FieldReason extends Reason {
  readonly field: string
}
