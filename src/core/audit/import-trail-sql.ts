/** The statements that import a trail from another database, only for centers that have none. */
import sql, { type Sql } from 'sql-template-tag'
import { entryRecordset, insertedColumns, insertedValues } from './entries-sql.ts'

/** A row by column, whose values have been checked. */
export type TrailRow = Readonly<Record<string, unknown>>

/**
 * Inserts heads and returns the centers that had none. Until the transaction ends, nobody else writes to these trails,
 * because writers wait for their heads.
 */
export function insertHeads(heads: readonly TrailRow[]): Sql {
  return sql`
    insert into audit_heads as h (center_id, seq, hash, pruned_seq, pruned_hash)
    select n.center_id, n.seq, decode(n.hash, 'hex'), n.pruned_seq, decode(n.pruned_hash, 'hex')
    from json_to_recordset(${JSON.stringify(heads)}::json)
      as n (center_id text, seq bigint, hash text, pruned_seq bigint, pruned_hash text)
    where not exists (select from audit_entries e where e.center_id = n.center_id)
      and not exists (select from audit_record_lists l where l.center_id = n.center_id)
    on conflict do nothing
    returning h.center_id`
}

/** Adds record lists to trails begun by `insertHeads`. An existing list is continued. */
export function insertRecordLists(lists: readonly TrailRow[]): Sql {
  return sql`
    insert into audit_record_lists as l (center_id, hash, ids)
    select n.center_id, decode(n.hash, 'hex'), n.ids
    from json_to_recordset(${JSON.stringify(lists)}::json) as n (center_id text, hash text, ids text)
    on conflict (center_id, hash) do update set ids = l.ids || substr(excluded.ids, 2)`
}

/** Adds entries to trails begun by `insertHeads`. */
export function insertEntries(entries: readonly TrailRow[]): Sql {
  return sql`
    insert into audit_entries (${insertedColumns})
    select ${insertedValues}
    from json_to_recordset(${JSON.stringify(entries)}::json) as n (${entryRecordset})`
}
