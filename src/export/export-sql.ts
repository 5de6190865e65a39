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
    const [, first = "''", second = "''"] = keyColumns(kind).map((column) => `t.${column}`)
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
  ...keyColumns(kind).map((name) => ({ name, type: 'text' }) as const),
  ...kind.columns,
]

function expression({ name, type }: Column): Sql {
  if (type === 'timestamptz') return raw(epochMs(`t.${name}`))
  return raw(type === 'bytea' ? `encode(t.${name}, 'hex')` : `t.${name}`)
}
