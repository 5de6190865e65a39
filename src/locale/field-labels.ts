/** What people call the fields of a guest, in each language: headings for forms, tables and exports. */
import labels from './field-labels.json' with { type: 'json' }
import type { Language } from './languages.ts'

// By field and then by language, so that a field's words stand together; one without a language does not compile.
const byField: Readonly<Record<string, Readonly<Record<Language, string>>>> = labels

/** @returns undefined for a field that has no words yet, or is the center's own */
export const fieldLabel = (name: string, language: Language): string | undefined =>
  Object.hasOwn(byField, name) ? byField[name]?.[language] : undefined
