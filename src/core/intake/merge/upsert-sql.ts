/**
 * Statements that read and write rows of one kind, built from its columns. Each handles many records at once: keys as
 * two or three arrays and values as one JSON array, so that a statement has few parameters whatever the size of the
 * batch. All use the table's primary key, which begins with the center.
 */
import sql, { raw, type Sql } from 'sql-template-tag'
import type { Kind } from '../kinds/kind.ts'

/** Keys by column: the centers and, for each further column of the primary key, its values. */
export interface KeyArrays {
  readonly centerIds: readonly string[]
  readonly keys: readonly (readonly string[])[]
}

/** The columns of the primary key. A center's own key is `center_id` alone. */
export function keyColumns(kind: Kind): string[] {
  return ['center_id', ...kind.key.map(({ column }) => column).filter((column) => column !== 'center_id')]
}

const columnsOf = (kind: Kind) => kind.columns.map(({ name }) => name)
const isHash = (kind: Kind, column: string) =>
  kind.key.some((part) => part.column === column && part.type === 'hash')

/** The columns of the key in `k` or `r`, where all are text, as they are stored. */
const givenKey = (kind: Kind, table: 'k' | 'r') =>
  keyColumns(kind).map((column) =>
    isHash(kind, column) ? `decode(${table}.${column}, 'hex')` : `${table}.${column}`,
  )

/** The columns of the stored key, as text. */
const storedKey = (kind: Kind) =>
  keyColumns(kind).map((column) =>
    isHash(kind, column) ? `encode(t.${column}, 'hex') as ${column}` : `t.${column}`,
  )

const sameKey = (kind: Kind, given: 'k' | 'r') => {
  const values = givenKey(kind, given)
  return raw(
    keyColumns(kind)
      .map((column, at) => `t.${column} = ${values[at]}`)
      .join(' and '),
  )
}

function keysTable(kind: Kind, { centerIds, keys }: KeyArrays): Sql {
  const columns = raw(keyColumns(kind).join(', '))
  const [first, second] = keys
  if (first === undefined) return sql`unnest(${centerIds}::text[]) as k (${columns})`
  if (second === undefined) return sql`unnest(${centerIds}::text[], ${first}::text[]) as k (${columns})`
  return sql`unnest(${centerIds}::text[], ${first}::text[], ${second}::text[]) as k (${columns})`
}

function rowsTable(kind: Kind, rows: string): Sql {
  const definitions = [
    ...keyColumns(kind).map((column) => `${column} text`),
    ...kind.columns.map(({ name, type }) => `${name} ${type}`),
  ]
  return sql`json_to_recordset(${rows}::json) as r (${raw(definitions.join(', '))})`
}

const joined = (columns: readonly string[]) => raw(columns.join(', '))
const ownColumns = (kind: Kind, table: 't' | 'r') => columnsOf(kind).map((column) => `${table}.${column}`)

/** The existing rows, in no order. */
export const selectRowsSql = (kind: Kind, keys: KeyArrays): Sql => sql`
  select ${joined([...storedKey(kind), ...ownColumns(kind, 't')])}
  from ${keysTable(kind, keys)}
  join ${raw(kind.table)} t on ${sameKey(kind, 'k')}`

/**
 * The current rows, locked until the import ends, so that nobody can change them between this read and our write.
 * Locked in key order, so that two writers that both do so cannot deadlock.
 */
export const lockRowsSql = (kind: Kind, keys: KeyArrays): Sql => sql`
  select ${joined([...storedKey(kind), ...ownColumns(kind, 't')])}
  from ${keysTable(kind, keys)}
  join ${raw(kind.table)} t on ${sameKey(kind, 'k')}
  order by ${joined(keyColumns(kind).map((column) => `t.${column}`))}
  for update of t`

/**
 * Inserts rows in the given order and returns the keys of those inserted. Rows that exist by now are left unchanged.
 */
export const insertRowsSql = (kind: Kind, rows: string): Sql => sql`
  insert into ${raw(kind.table)} as t (${joined([...keyColumns(kind), ...columnsOf(kind)])})
  select ${joined([...givenKey(kind, 'r'), ...ownColumns(kind, 'r')])}
  from ${rowsTable(kind, rows)}
  on conflict do nothing
  returning ${joined(storedKey(kind))}`

/** Updates rows that `lockRowsSql` has locked. */
export const updateRowsSql = (kind: Kind, rows: string): Sql => sql`
  update ${raw(kind.table)} t
  set ${raw(
    columnsOf(kind)
      .map((column) => `${column} = r.${column}`)
      .join(', '),
  )}
  from ${rowsTable(kind, rows)}
  where ${sameKey(kind, 'r')}`

/** Deletes rows. */
export const deleteRowsSql = (kind: Kind, keys: KeyArrays): Sql => sql`
  delete from ${raw(kind.table)} t
  using ${keysTable(kind, keys)}
  where ${sameKey(kind, 'k')}`
