/** The columns of an entry as SQL, generated from the table of columns. */
import { raw, type Sql } from 'sql-template-tag'
import { ENTRY_COLUMNS } from './entry.ts'

const columns = Object.entries(ENTRY_COLUMNS)

/** The select list of `audit_entries e`, for rows of the type `Entry`. */
export const entryColumns: Sql = raw(
  columns.map(([name, { read }]) => `${read(`e.${name}`)} as ${name}`).join(', '),
)

/** The columns of an insertion, and their values from `n`, a row of `entryRecordset`. */
export const insertedColumns: Sql = raw(columns.map(([name]) => name).join(', '))
export const insertedValues: Sql = raw(columns.map(([name, { write }]) => write(`n.${name}`)).join(', '))

/** The column definitions of `json_to_recordset` for a JSON array of `Entry`. */
export const entryRecordset: Sql = raw(columns.map(([name, { json }]) => `${name} ${json}`).join(', '))
