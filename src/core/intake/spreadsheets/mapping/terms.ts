/**
 * What a table calls its fields: its columns, and the formats that its mapping declares. Problems are worded with them.
 */
import type { Sentence } from '../../../locale/said.ts'
import type { FieldProblem } from '../../rejects/problems.ts'
import { columnsOf, type FieldMapping, type RecordMapping, type Rows, type Source } from './mapping.ts'

export interface Terms {
  /** The mapping that made the records; undefined if the columns are named like fields. */
  readonly mapping: string | undefined
  /** The names of the table's columns. */
  readonly header: readonly string[]
  /** If there are several tables, the part of the mapping, or the kind, that the rows are for. */
  readonly table: string
  /** By the field's name, without positions in lists. */
  readonly fields: ReadonlyMap<string, FieldTerms>
}

export interface FieldTerms {
  /** The columns that the field is made from. */
  readonly columns: readonly string[]
  /** The expected format in the table, such as `a date such as DD.MM.YYYY`; undefined for what records expect. */
  readonly expects: Sentence | undefined
  /** The date formats that are already read. */
  readonly dates: readonly string[]
  /** How different values in the rows of a record are combined; undefined if they may not differ. */
  readonly rows: Rows | undefined
  /** Whether the mapping gives words a meaning. */
  readonly hasValues: boolean
}

/** For a table whose columns are named like fields. */
export const OWN_TERMS: Terms = { mapping: undefined, header: [], table: '', fields: new Map() }

/**
 * The terms of one mapped record.
 * @param label the mapping, header and table that they belong to
 */
export function termsOf({ fields }: RecordMapping, label: Omit<Terms, 'fields'>): Terms {
  const terms = new Map<string, FieldTerms>()
  const add = (field: FieldMapping): void => {
    const { name, source } = field
    const cells = cellsOf(source)
    terms.set(name, {
      columns: columnsOf(source).map((column) => column.name),
      expects: expects(field),
      dates: datesOf(source),
      rows: cells?.rows,
      hasValues: cells?.values !== undefined,
    })
    if (source.from === 'entries') for (const entry of source.entries) entry.forEach(add)
  }
  fields.forEach(add)
  return { ...label, fields: terms }
}

/** As declared, without the times that may follow. */
const datesOf = (source: Source) =>
  (cellsOf(source)?.formats.dates ?? [])
    .map(({ text }) => text)
    .filter((text) => !text.includes('H') && !text.includes('h'))

function expects({ source, schema }: FieldMapping): Sentence | undefined {
  const cells = cellsOf(source)
  const value = schema.items ?? schema
  if (cells === undefined) return undefined
  if (value.form === 'moment' || value.form === 'date' || cells.type === 'date') {
    const formats = { list: datesOf(source).toReversed(), isChoice: true } as const
    return { key: 'takesDateAs', values: { formats } }
  }
  if (cells.formats.decimals === ',' && value.type?.includes('number') && !value.type.includes('string')) {
    return { key: 'takesNumberAs', values: { example: '1.000,50' } }
  }
  return undefined
}

const cellsOf = (source: Source) => (source.from === 'cells' ? source : undefined)

/** The table's terms for a field; undefined if it has no column for it. */
export function termsFor(
  terms: Terms | undefined,
  { field }: Pick<FieldProblem, 'field'>,
): FieldTerms | undefined {
  return field === undefined ? undefined : terms?.fields.get(withoutPlaces(field))
}

/** `items.price` for `items[0].price`. */
export const withoutPlaces = (field: string) => field.replaceAll(/\[\d+\]/g, '')
