/** Names of the guest's fields for people, in each language: headings of forms, tables and exports. */
import labels from './field-labels.json' with { type: 'json' }
import type { Language } from './languages.ts'

// By field and then by language, so that all names of a field are together. A field without one of the languages does
// not compile.
const byField: Readonly<Record<string, Readonly<Record<Language, string>>>> = labels

/** @returns undefined for a field without names, and for custom fields */
export const fieldLabel = (name: string, language: Language): string | undefined =>
  Object.hasOwn(byField, name) ? byField[name]?.[language] : undefined
