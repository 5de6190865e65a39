/** An entry's columns as SQL, made from the one table of them. */
import { raw, type Sql } from 'sql-template-tag'
import { ENTRY_COLUMNS } from './entry.ts'

const columns = Object.entries(ENTRY_COLUMNS)

/** The select list of `audit_entries e`: rows are `Entry`. */
export const entryColumns: Sql = raw(
  columns.map(([name, { read }]) => `${read(`e.${name}`)} as ${name}`).join(', '),
)

/** The columns that an insertion names, and what it takes of `n`, a row of `entryRecordset`. */
export const insertedColumns: Sql = raw(columns.map(([name]) => name).join(', '))
export const insertedValues: Sql = raw(columns.map(([name, { write }]) => write(`n.${name}`)).join(', '))

/** The column definitions of `json_to_recordset` over a JSON array of `Entry`. */
export const entryRecordset: Sql = raw(columns.map(([name, { json }]) => `${name} ${json}`).join(', '))
