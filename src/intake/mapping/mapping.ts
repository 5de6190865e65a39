/** What a mapping says, read and checked: which cells of a table become which fields of which records. */
import type { Json, KindName } from '../kinds/kind.ts'
import type { Schema } from '../line-schemas.ts'
import type { Formats } from './formats.ts'

export interface Mapping {
  /** The file it was read from, for messages. */
  readonly name: string
  readonly encoding: string | undefined
  readonly delimiter: string | undefined
  readonly tables: readonly TableMapping[]
}

/** One table of a file. */
export interface TableMapping {
  /** Its name, or its place counted from 1; the first one where nothing is said. */
  readonly sheet: string | number | undefined
  /** The row of the header, counted from 1; 0 where there is none and columns are named by letters. */
  readonly header: number
  readonly records: readonly RecordMapping[]
}

/** One record that each row becomes. */
export interface RecordMapping {
  readonly kind: KindName
  /** A row becomes the record only where all of these hold. */
  readonly when: readonly Condition[]
  readonly fields: readonly FieldMapping[]
  /** A list whose entries stand in several rows that follow each other. */
  readonly collects: string | undefined
}

export interface Condition {
  readonly column: ColumnRef
  /** One of these words; any that is not empty where there are none. */
  readonly is: ReadonlySet<string> | undefined
  readonly not: ReadonlySet<string> | undefined
}

export interface FieldMapping {
  /** `address.city` */
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
  /** What stands between several columns. */
  readonly join: string
  /** What the text is cut at: into parts, or into the values of a list. */
  readonly split: string | undefined
  readonly part: Part | undefined
  /** By the word in lower case; `*` for all others. */
  readonly values: ReadonlyMap<string, Json> | undefined
  readonly formats: Formats
  /** As which type custom values are read. */
  readonly type: ValueType | undefined
  /** The time of day of a date where a moment is meant. */
  readonly time: string | undefined
  /** In place of empty cells. */
  readonly default: Json | undefined
  readonly identifier: 'hash' | 'text' | undefined
  readonly prefix: string
  /** What it is where the rows of a collected record differ; undefined where they may not. */
  readonly rows: Rows | undefined
}

export const ROWS = ['first', 'last', 'sum'] as const
export type Rows = (typeof ROWS)[number]
export type ValueType = 'text' | 'number' | 'boolean' | 'date'
/** One of the pieces, counted from 1, or a part of them: `familyName` is the last word with the small ones before it (`von`). */
export const PARTS = ['first', 'last', 'allButFirst', 'allButLast', 'givenNames', 'familyName'] as const
export type Part = number | (typeof PARTS)[number]

interface ConstantSource {
  readonly from: 'constant'
  readonly value: Json
}

/** The identifier that another record of the same row has. */
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

/** A column as the mapping names it, and where it does. */
export interface ColumnRef {
  readonly name: string
  /** `guests.yaml:12:14` */
  readonly at: string
}

/** The columns that a source reads. */
export function columnsOf(source: Source): readonly ColumnRef[] {
  switch (source.from) {
    case 'cells':
      return source.columns
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
