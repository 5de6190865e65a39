/** The statements that write the trail. */
import sql, { type Sql } from 'sql-template-tag'
import { entryRecordset, insertedColumns, insertedValues } from '../entries-sql.ts'
import type { Entry } from '../entry.ts'

/** Whether a batch was written although its confirmation was lost. Uses audit_entries_by_time. */
export function selectBatch(center: string, batch: string, since: string): Sql {
  return sql`
    select 1 as found
    from audit_entries
    where center_id = ${center} and at >= ${since} and batch = ${batch}
    limit 1`
}

export interface NewBatch {
  readonly entries: readonly Entry[]
  readonly recordLists: readonly { readonly center_id: string; readonly hash: string; readonly ids: string }[]
  readonly heads: readonly { readonly center_id: string; readonly seq: number; readonly hash: string }[]
  /** the last read of each key, ISO */
  readonly keys: readonly { readonly center_id: string; readonly public_key: string; readonly at: string }[]
}

/**
 * Writes a batch and the last use of the keys in one statement. The same transaction has locked the heads.
 *
 * A key that is being changed (`keys rotate`) is skipped instead of waited for, because it will soon be used again. A
 * key used within the last ten seconds is not updated, which saves most writes.
 */
export function insertBatch(batch: NewBatch): Sql {
  return sql`
    with lists as (
      insert into audit_record_lists (center_id, hash, ids)
      select l.center_id, decode(l.hash, 'hex'), l.ids
      from json_to_recordset(${JSON.stringify(batch.recordLists)}::json) as l (center_id text, hash text, ids text)
      on conflict (center_id, hash) do nothing
    ),
    heads as (
      update audit_heads h
      set seq = n.seq, hash = decode(n.hash, 'hex')
      from json_to_recordset(${JSON.stringify(batch.heads)}::json) as n (center_id text, seq bigint, hash text)
      where h.center_id = n.center_id
    ),
    used as (
      update api_keys k
      set last_used_at = u.at
      from (
        select free.center_id, free.public_key, n.at
        from json_to_recordset(${JSON.stringify(batch.keys)}::json)
          as n (center_id text, public_key text, at timestamptz)
        join api_keys free on free.center_id = n.center_id and free.public_key = n.public_key
        where free.last_used_at is null or free.last_used_at < n.at - interval '10 seconds'
        for update of free skip locked
      ) u
      where k.center_id = u.center_id and k.public_key = u.public_key
    )
    insert into audit_entries (${insertedColumns})
    select ${insertedValues}
    from json_to_recordset(${JSON.stringify(batch.entries)}::json) as n (${entryRecordset})`
}
