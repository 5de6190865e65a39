/** A parsed and checked mapping: which cells of a table become which fields of which records. */
import type { Json, KindName } from '../../kinds/kind.ts'
import type { Schema } from '../../lines/line-schemas.ts'
import type { Formats } from './formats.ts'

export interface Mapping {
  /** The file that it was read from, for messages. */
  readonly name: string
  readonly encoding: string | undefined
  readonly delimiter: string | undefined
  readonly tables: readonly TableMapping[]
}

/** The mapping of one table of a file. */
export interface TableMapping {
  /** The sheet's name, or its position counted from 1; the first sheet by default. */
  readonly sheet: string | number | undefined
  /** The row of the header, counted from 1; 0 if there is none and columns are named by letters. */
  readonly header: number
  /** Whether rows that the program that wrote the workbook does not show are left out. */
  readonly leavesHiddenOut: boolean
  readonly records: readonly RecordMapping[]
  /** Custom fields of these records that the kitchen reads. */
  readonly diets: readonly DietMapping[]
}

export const DIET_MEANINGS = ['diet', 'allergy', 'none'] as const
export type DietMeaning = (typeof DIET_MEANINGS)[number]

/** With a list of words, another text is unknown. Without one, each text would be an ordinary diet. */
export const NO_DIET_WORDS = { none: 'none' } as const

/** A custom field that is a diet, for centers that do not have it yet. */
export interface DietMapping {
  /** The key of the custom field, without `meta.`. */
  readonly key: string
  readonly of: 'customer' | 'booking'
  readonly type: 'string' | 'boolean'
  readonly label: string | undefined
  /** The words that the kitchen knows, `true` of a boolean field; without any, each text is a diet. */
  readonly values: ReadonlyMap<string, DietMeaning>
}

/** The diets of all tables; the first of a key counts. */
export const dietsOf = ({ tables }: Mapping): DietMapping[] => {
  const all = tables.flatMap(({ diets }) => diets)
  return all.filter(({ key }, at) => all.findIndex((diet) => diet.key === key) === at)
}

/** One of the records made from each row. */
export interface RecordMapping {
  readonly kind: KindName
  /** A row becomes this record only if all conditions hold. */
  readonly when: readonly Condition[]
  readonly fields: readonly FieldMapping[]
  /** The list field whose entries are in several successive rows. */
  readonly collects: string | undefined
}

export interface Condition {
  /** The column to look at, or several of which one must match. */
  readonly columns: readonly ColumnRef[]
  /** Matches one of these words, or any value that is not empty if there are none. */
  readonly is: ReadonlySet<string> | undefined
  readonly not: ReadonlySet<string> | undefined
}

export interface FieldMapping {
  /** The field's name, such as `address.city`. */
  readonly name: string
  readonly path: readonly string[]
  readonly schema: Schema
  readonly source: Source
}

/** Where a value comes from. */
export type Source = CellSource | ConstantSource | IdentifierOf | ListSource | EntriesSource

export interface CellSource {
  readonly from: 'cells'
  readonly columns: readonly ColumnRef[]
  /** Inserted between several columns. */
  readonly join: string
  /** The separator that splits the text into parts, or into the values of a list. */
  readonly split: string | undefined
  readonly part: Part | undefined
  /** By word in lower case; `*` for all other words. */
  readonly values: ReadonlyMap<string, Json> | undefined
  readonly formats: Formats
  /** The type in which custom values are read. */
  readonly type: ValueType | undefined
  /** The time of day added to a date if the field is a timestamp. */
  readonly time: string | undefined
  /** Replaces empty cells. */
  readonly default: Json | undefined
  readonly identifier: 'hash' | 'text' | undefined
  readonly prefix: string
  /** The number of days that is added to the date, or the column that has it, such as nights. */
  readonly addDays: ColumnRef | number | undefined
  /** What is taken from the sum of the columns: of 4 people, 3 come with the guest. If nothing remains, there is no value. */
  readonly less: number | undefined
  /** For the parts of a full name. */
  readonly nameForm: NameForm
  /** The last day on which a date with a year of two digits may be, `2026-11-25`; later ones are a century earlier. */
  readonly notAfter: string | undefined
  /** How different values in the rows of a record are combined; undefined if they may not differ. */
  readonly rows: Rows | undefined
}

/** How full names are written. A name with a comma is `family name, given names` in any form. */
export interface NameForm {
  readonly order: NameOrder
  /** Which part a name of one word is. */
  readonly single: SingleName
}
export const NAME_ORDERS = ['givenFirst', 'familyFirst'] as const
export type NameOrder = (typeof NAME_ORDERS)[number]
export const SINGLE_NAMES = ['family', 'given'] as const
export type SingleName = (typeof SINGLE_NAMES)[number]

export const ROWS = ['first', 'last', 'sum'] as const
export type Rows = (typeof ROWS)[number]
export type ValueType = 'text' | 'number' | 'boolean' | 'date'
/**
 * A piece, counted from 1, or a group of pieces. `familyName` is the last word with the particles before it (`von`).
 */
export const PARTS = ['first', 'last', 'allButFirst', 'allButLast', 'givenNames', 'familyName'] as const
export type Part = number | (typeof PARTS)[number]

interface ConstantSource {
  readonly from: 'constant'
  readonly value: Json
}

/** The identifier of another record of the same row. */
interface IdentifierOf {
  readonly from: 'record'
  readonly source: Source
}

/** Each source gives one value of a list, or none. */
interface ListSource {
  readonly from: 'list'
  readonly sources: readonly Source[]
}

/** Each gives one object of a list, unless all of its cells are empty. */
interface EntriesSource {
  readonly from: 'entries'
  readonly entries: readonly (readonly FieldMapping[])[]
}

/** A column's name in the mapping, and its position there. */
export interface ColumnRef {
  readonly name: string
  /** `guests.yaml:12:14` */
  readonly at: string
}

/** The columns that a source reads. */
export function columnsOf(source: Source): readonly ColumnRef[] {
  switch (source.from) {
    case 'cells':
      return typeof source.addDays === 'object' ? [...source.columns, source.addDays] : source.columns
    case 'constant':
      return []
    case 'record':
      return columnsOf(source.source)
    case 'list':
      return source.sources.flatMap(columnsOf)
    case 'entries':
      return source.entries.flatMap((fields) => fields.flatMap((field) => columnsOf(field.source)))
  }
}
