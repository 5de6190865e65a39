/** Names of the columns of orders and of their items for people, in each language: headings of files. */
import type { Language } from './languages.ts'
import labels from './order-labels.json' with { type: 'json' }

// A column without one of the languages does not compile.
const byColumn: Readonly<Record<string, Readonly<Record<Language, string>>>> = labels

/** @returns undefined for a column without names */
export const orderLabel = (name: string, language: Language): string | undefined =>
  Object.hasOwn(byColumn, name) ? byColumn[name]?.[language] : undefined
