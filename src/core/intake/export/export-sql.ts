/** The statement of an export: all records of one center, from one snapshot. */
import sql, { join, raw, type Sql } from 'sql-template-tag'
import { epochMs, jsonRow } from '../../database/json-rows.ts'
import type { CenterId } from '../../records/centers/center.ts'
import type { Column, Kind } from '../kinds/kind.ts'
import { keyColumns } from '../merge/upsert-sql.ts'

/**
 * A row for each record: the position of its kind, its key, and a JSON array of `columnsOf`. Ordered by kind and then
 * by key, so that the same records have the same order. The union is sorted as a whole, although an index returns each
 * kind by key; for large centers that spills to disk.
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

export const countBookings = (center: CenterId): Sql => sql`
  select count(*)::int as bookings from bookings where center_id = ${center}`

/** The columns of a kind's record, beginning with those of its key. */
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

/** A part of a key as text that sorts like the part; numbers sort by their value. */
const sortable = ({ column, type }: Kind['key'][number]): string =>
  type === 'bigint'
    ? `lpad(t.${column}::text, 19, '0')`
    : expression({ name: column, type: type ?? 'text' }).sql
