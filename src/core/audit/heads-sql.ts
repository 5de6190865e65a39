/** The statements for the heads of the chains. */
import sql, { type Sql } from 'sql-template-tag'

export interface HeadRow {
  center_id: string
  seq: number
  hash: string
  pruned_seq: number
  pruned_hash: string
}

export const headColumns: Sql = sql`center_id, seq, encode(hash, 'hex') as hash, pruned_seq,
  encode(pruned_hash, 'hex') as pruned_hash`

/**
 * The heads of these centers, locked until the transaction ends. Always in the same order, so that transactions cannot
 * deadlock.
 */
export function lockHeads(centers: readonly string[]): Sql {
  return sql`
    select ${headColumns}
    from audit_heads
    where center_id = any(${centers})
    order by center_id
    for update`
}

/** Adds heads for centers without one. Safe if another instance adds them at the same time. */
export function addHeads(centers: readonly string[]): Sql {
  return sql`
    insert into audit_heads (center_id)
    select center_id from unnest(${centers}::text[]) as c (center_id) order by center_id collate "C"
    on conflict (center_id) do nothing`
}

/** The centers that have a trail, for commands and for the daily pruning. */
export const selectAuditedCenters: Sql = sql`select center_id from audit_heads order by center_id`
