/**
 * Statements that read and write rows of one kind, built from its columns. Each handles many records at once: keys as
 * two or three arrays and values as one JSON array, so that a statement has few parameters whatever the size of the
 * batch. All use the table's primary key, which begins with the center.
 */
import sql, { raw, type Sql } from 'sql-template-tag'
import type { Kind } from './kinds/kind.ts'

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
const sameKey = (kind: Kind, left: string, right: string) =>
  raw(
    keyColumns(kind)
      .map((column) => `${left}.${column} = ${right}.${column}`)
      .join(' and '),
  )

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

const listed = (table: string, columns: string[]) =>
  raw(columns.map((column) => `${table}.${column}`).join(', '))

/** The existing rows, in no order. */
export const selectRowsSql = (kind: Kind, keys: KeyArrays): Sql => sql`
  select ${listed('t', [...keyColumns(kind), ...columnsOf(kind)])}
  from ${keysTable(kind, keys)}
  join ${raw(kind.table)} t on ${sameKey(kind, 't', 'k')}`

/**
 * The current rows, locked until the import ends, so that nobody can change them between this read and our write.
 * Locked in key order, so that two writers that both do so cannot deadlock.
 */
export const lockRowsSql = (kind: Kind, keys: KeyArrays): Sql => sql`
  select ${listed('t', [...keyColumns(kind), ...columnsOf(kind)])}
  from ${keysTable(kind, keys)}
  join ${raw(kind.table)} t on ${sameKey(kind, 't', 'k')}
  order by ${listed('t', keyColumns(kind))}
  for update of t`

/**
 * Inserts rows in the given order and returns the keys of those inserted. Rows that exist by now are left unchanged.
 */
export const insertRowsSql = (kind: Kind, rows: string): Sql => sql`
  insert into ${raw(kind.table)} as t (${raw([...keyColumns(kind), ...columnsOf(kind)].join(', '))})
  select ${listed('r', [...keyColumns(kind), ...columnsOf(kind)])}
  from ${rowsTable(kind, rows)}
  on conflict do nothing
  returning ${listed('t', keyColumns(kind))}`

/** Updates rows that `lockRowsSql` has locked. */
export const updateRowsSql = (kind: Kind, rows: string): Sql => sql`
  update ${raw(kind.table)} t
  set ${raw(
    columnsOf(kind)
      .map((column) => `${column} = r.${column}`)
      .join(', '),
  )}
  from ${rowsTable(kind, rows)}
  where ${sameKey(kind, 't', 'r')}`

/** Deletes rows. */
export const deleteRowsSql = (kind: Kind, keys: KeyArrays): Sql => sql`
  delete from ${raw(kind.table)} t
  using ${keysTable(kind, keys)}
  where ${sameKey(kind, 't', 'k')}`
