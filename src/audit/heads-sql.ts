/** The statements over the ends of the chains. */
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

/** The heads of these centers, held until the transaction ends; in one order, so that nobody deadlocks. */
export function lockHeads(centers: readonly string[]): Sql {
  return sql`
    select ${headColumns}
    from audit_heads
    where center_id = any(${centers})
    order by center_id
    for update`
}

/** Heads for centers that have none yet; harmless when another instance is making them too. */
export function addHeads(centers: readonly string[]): Sql {
  return sql`
    insert into audit_heads (center_id)
    select center_id from unnest(${centers}::text[]) as c (center_id) order by center_id collate "C"
    on conflict (center_id) do nothing`
}

/** Which centers have a trail at all: for the commands and the daily pruning, which go through each of them. */
export const selectAuditedCenters: Sql = sql`select center_id from audit_heads order by center_id`
