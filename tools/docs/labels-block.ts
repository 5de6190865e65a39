import english from '../../src/core/locale/labels/en.json' with { type: 'json' }
import { LABEL_KINDS, labelOf } from '../../src/core/locale/labels.ts'
import { LANGUAGES } from '../../src/core/locale/languages.ts'
import { code, table } from './markdown.ts'

/** Every label: a table for each kind, a row for each language. */
export function labelsBlock(): string {
  return LABEL_KINDS.map((kind) => {
    const raw = Object.keys(english[kind])
    const rows = LANGUAGES.map((language) => [
      code(language),
      ...raw.map((value) => labelOf(language, kind, value)),
    ])
    return `### ${code(kind)}\n\n${table(['', ...raw.map(code)], rows)}`
  }).join('\n\n')
}
