/** A problem in the terms of the file that was mapped: its columns, and the forms that its mapping names. */
import type { FieldProblem } from '../problems.ts'
import { columnsOf, type FieldMapping, type RecordMapping, type Source } from './mapping.ts'

export interface FieldTerms {
  /** The columns that the field is made from. */
  readonly columns: readonly string[]
  /** `a date such as DD.MM.YYYY`, in place of what a record takes. */
  readonly expects: string | undefined
}

/** By the field's name, without places in lists. */
export type Terms = ReadonlyMap<string, FieldTerms>

export function termsOf({ fields }: RecordMapping): Terms {
  const terms = new Map<string, FieldTerms>()
  const add = (field: FieldMapping): void => {
    const { name, source } = field
    terms.set(name, { columns: columnsOf(source).map((column) => column.name), expects: expects(field) })
    if (source.from === 'entries') for (const entry of source.entries) entry.forEach(add)
  }
  fields.forEach(add)
  return terms
}

function expects({ source, schema }: FieldMapping): string | undefined {
  const cells = cellsOf(source)
  const value = schema.items ?? schema
  if (cells === undefined) return undefined
  if (value.form === 'moment' || value.form === 'date' || cells.type === 'date') {
    const named = cells.formats.dates
      .map(({ text }) => text)
      .filter((text) => !text.includes('H') && !text.includes('h'))
    return `a date such as ${named.toReversed().join(' or ')}`
  }
  if (cells.formats.decimals === ',' && value.type?.includes('number') && !value.type.includes('string')) {
    return 'a number such as 1.000,50'
  }
  return undefined
}

const cellsOf = (source: Source) => (source.from === 'cells' ? source : undefined)

/** What the file calls a field; undefined where it has no column for it. */
export function termsFor(terms: Terms | undefined, { field }: FieldProblem): FieldTerms | undefined {
  return field === undefined ? undefined : terms?.get(field.replaceAll(/\[\d+\]/g, ''))
}
