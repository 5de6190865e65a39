/** What an export reads: all records of one center, in one statement and so from one snapshot. */
import sql, { join, raw, type Sql } from 'sql-template-tag'
import type { CenterId } from '../centers/center.ts'
import { epochMs, jsonRow } from '../database/json-rows.ts'
import type { Column, Kind } from '../intake/kinds/kind.ts'
import { keyColumns } from '../intake/upsert-sql.ts'

/**
 * A row for each record: the place of its kind, its key, and a JSON array of `columnsOf`. By kind and then by key, so
 * that the same records always come in the same order. Keys that sort a table's index are sorted once more by the whole,
 * which spills to disk where it is large.
 */
export function selectRecords(center: CenterId, kinds: readonly Kind[]): Sql {
  const parts = kinds.map((kind, place) => {
    const [first = "''", second = "''"] = kind.key.map(sortable)
    return sql`
      select ${raw(String(place))} as place, ${raw(first)} as key, ${raw(second)} as rest,
        ${jsonRow(columnsOf(kind).map(expression))} as record
      from ${raw(kind.table)} t
      where t.center_id = ${center}`
  })
  return sql`${join(parts, '\n union all ')}\n order by place, key, rest`
}

/** The columns of a kind's record: those of its key first. */
export const columnsOf = (kind: Kind): readonly Column[] => [
  { name: 'center_id', type: 'text' },
  ...keyColumns(kind)
    .slice(1)
    .map((name) => ({ name, type: kind.key.find(({ column }) => column === name)?.type ?? 'text' }) as const),
  ...kind.columns,
]

function expression({ name, type }: Pick<Column, 'name' | 'type'>): Sql {
  const column = `t.${name}`
  switch (type) {
    case 'timestamptz':
      return raw(epochMs(column))
    case 'microseconds':
      return raw(`to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`)
    case 'bytea':
    case 'hash':
      return raw(`encode(${column}, 'hex')`)
    default:
      return raw(column)
  }
}

/** A part of a key as text: numbers in their order. */
const sortable = ({ column, type }: Kind['key'][number]): string =>
  type === 'bigint'
    ? `lpad(t.${column}::text, 19, '0')`
    : expression({ name: column, type: type ?? 'text' }).sql
