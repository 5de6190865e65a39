/** What a table calls things: its columns, and the forms that its mapping names, for problems in its own words. */
import type { FieldProblem } from '../problems.ts'
import { columnsOf, type FieldMapping, type RecordMapping, type Source } from './mapping.ts'

export interface Terms {
  /** The mapping that made the records; undefined where the columns are named as fields are. */
  readonly mapping: string | undefined
  /** The names of the table's columns. */
  readonly header: readonly string[]
  /** Of several tables: which part of the mapping, or which kind, its rows are for. */
  readonly table: string
  /** By the field's name, without places in lists. */
  readonly fields: ReadonlyMap<string, FieldTerms>
}

export interface FieldTerms {
  /** The columns that the field is made from. */
  readonly columns: readonly string[]
  /** `a date such as DD.MM.YYYY`, in place of what a record takes. */
  readonly expects: string | undefined
  /** The formats of dates that are read already. */
  readonly dates: readonly string[]
  /** Words have meanings already. */
  readonly hasValues: boolean
}

/** Of a table whose columns are named as fields are. */
export const OWN_TERMS: Terms = { mapping: undefined, header: [], table: '', fields: new Map() }

export function termsOf({ fields }: RecordMapping, label: Omit<Terms, 'fields'>): Terms {
  const terms = new Map<string, FieldTerms>()
  const add = (field: FieldMapping): void => {
    const { name, source } = field
    const cells = cellsOf(source)
    terms.set(name, {
      columns: columnsOf(source).map((column) => column.name),
      expects: expects(field),
      dates: datesOf(source),
      hasValues: cells?.values !== undefined,
    })
    if (source.from === 'entries') for (const entry of source.entries) entry.forEach(add)
  }
  fields.forEach(add)
  return { ...label, fields: terms }
}

/** As they were named, without the times that may follow them. */
const datesOf = (source: Source) =>
  (cellsOf(source)?.formats.dates ?? [])
    .map(({ text }) => text)
    .filter((text) => !text.includes('H') && !text.includes('h'))

function expects({ source, schema }: FieldMapping): string | undefined {
  const cells = cellsOf(source)
  const value = schema.items ?? schema
  if (cells === undefined) return undefined
  if (value.form === 'moment' || value.form === 'date' || cells.type === 'date') {
    return `a date that exists, such as ${datesOf(source).toReversed().join(' or ')}`
  }
  if (cells.formats.decimals === ',' && value.type?.includes('number') && !value.type.includes('string')) {
    return 'a number such as 1.000,50'
  }
  return undefined
}

const cellsOf = (source: Source) => (source.from === 'cells' ? source : undefined)

/** What the file calls a field; undefined where it has no column for it. */
export function termsFor(
  terms: Terms | undefined,
  { field }: Pick<FieldProblem, 'field'>,
): FieldTerms | undefined {
  return field === undefined ? undefined : terms?.fields.get(withoutPlaces(field))
}

/** `items.price` of `items[0].price` */
export const withoutPlaces = (field: string) => field.replaceAll(/\[\d+\]/g, '')
