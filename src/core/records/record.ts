/** A record as one value: its table, and its fields. What answers, statements and files need is made from it here. */
import type { Sql } from 'sql-template-tag'
import type { Column } from '../answer/files/table.ts'
import type { ChangeKind } from '../changes/change.ts'
import type { Language } from '../locale/languages.ts'
import { sharedJson as into } from '../request/json-bytes.ts'
import type { Rows } from '../request/operation.ts'
import type { Field } from './fields/field.ts'
import { inOrder } from './intake-fields.ts'
import { fileColumns } from './record-columns.ts'
import {
  listedWriter,
  positionsOf,
  type RecordContext,
  requestOfListed,
  requestOfSingle,
  singleWriter,
  type Write,
} from './record-parts.ts'
import { columnsOf, selectFields } from './record-sql.ts'

/** The table of a record, and how its rows are found and ordered. */
export interface RecordTable {
  readonly kind: ChangeKind
  readonly table: string
  /** of the row in conditions and values */
  readonly alias: string
  readonly key: string
  /** a value that is null in no record, if its key may be null */
  readonly neverNull?: string
  /** columns that begin and end a record, the same for a moment; a record is in a range if any part is (ruling 14) */
  readonly during: readonly [start: string, end: string]
}

export interface RecordDefinition extends RecordTable {
  /** in the singular; types of OpenAPI and of the client are named after it */
  readonly name: string
  /** in the order of files */
  readonly fields: readonly Field[]
  /** fields that answers have first */
  readonly firstInAnswers?: readonly string[]
  /** the column with the currency of its amounts, if that may differ from the center's */
  readonly currency?: string
}

/** The expressions of values that a statement makes, by name; one that is absent was not requested. */
export type MadeValues = Readonly<Record<string, Sql>>

/** A record with the fields that a request gets, in a list or by itself. */
interface RequestedFields {
  readonly fields: readonly Field[]
  /** every column that it is made from, as `table.column` */
  readonly readColumns: ReadonlySet<string>
}

export interface ListedForm extends RequestedFields {
  readonly columns: readonly Column[]
  /**
   * The records of a list as JSON.
   * @param rows each with the revision of the center, then the values of `select`
   * @param before what precedes the first record
   * @param after what follows the last one
   */
  listJson(rows: Rows, context: RecordContext, before: Buffer, after?: Buffer): Buffer
}

export interface SingleForm extends RequestedFields {
  json(row: readonly unknown[], context: RecordContext): Buffer
}

export interface RecordType extends RecordDefinition {
  /** the values of a row, those that were not requested as null */
  select(language: Language, made: MadeValues): Sql
  /** number of values of a row before others can follow: the revision, and those of `select` */
  readonly width: number
  /** a value of a row, by column */
  read(row: readonly unknown[], column: string): unknown
  /** '' if it has none */
  idOf(row: readonly unknown[]): string
  /** whether a row has a record; the one row of an empty page has none */
  isRecord(row: readonly unknown[]): boolean
  /** @param requested values of parameters by name, of which some request fields */
  listed(requested: Requested): ListedForm
  single(requested: Requested): SingleForm
}

type Requested = Readonly<Record<string, unknown>>

const COMMA = Buffer.from(',')

/** Defines a record. Everything that depends on its fields alone is made once. */
export function defineRecord(record: RecordDefinition): RecordType {
  const { fields, key, neverNull = key, alias, firstInAnswers = [] } = record
  const at = positionsOf(fields, 1)
  const read = (row: readonly unknown[], column: string) => row[at[column] ?? -1]
  return {
    ...record,
    width: 1 + Object.keys(at).length,
    select: (language, made) => selectFields(fields, { alias, language, made }),
    read,
    idOf: (row) => (read(row, key) as string | null) ?? '',
    isRecord: (row) => read(row, neverNull) !== null,
    listed: onceForRequest(fields, requestOfListed, (own) => {
      const write = listedWriter(inOrder(own, firstInAnswers), at)
      return {
        fields: own,
        columns: fileColumns(own),
        readColumns: columnsOf(own),
        listJson(rows, context, before, after) {
          into.begin()
          into.add(before)
          for (let place = 0; place < rows.length; place += 1) {
            if (place > 0) into.add(COMMA)
            writeOne(write, rows[place] as Rows[number], context)
          }
          if (after !== undefined) into.add(after)
          return into.end()
        },
      }
    }),
    single: onceForRequest(fields, requestOfSingle, (own) => {
      const write = singleWriter(inOrder(own, firstInAnswers), at)
      return {
        fields: own,
        readColumns: columnsOf(own),
        json(row, context) {
          into.begin()
          writeOne(write, row, context)
          return into.end()
        },
      }
    }),
  }

  function writeOne(write: Write, row: readonly unknown[], context: RecordContext): void {
    const currency = record.currency === undefined ? null : (read(row, record.currency) as string | null)
    write(row, currency === null ? context : { ...context, currency })
  }
}

/** Makes a form of the fields that a request gets; for requests of the same fields once. */
function onceForRequest<Form>(
  fields: readonly Field[],
  requestOf: (field: Field) => string | undefined,
  make: (own: readonly Field[]) => Form,
): (requested: Requested) => Form {
  const requests = [...new Set(fields.flatMap((field) => requestOf(field) ?? []))]
  const forms = new Map<string, Form>()
  return (requested) => {
    const names = requests.filter((name) => requested[name] === true)
    const known = forms.get(names.join())
    if (known !== undefined) return known
    const isOwn = (request: string | undefined) => request === undefined || names.includes(request)
    const made = make(fields.filter((field) => isOwn(requestOf(field))))
    forms.set(names.join(), made)
    return made
  }
}
