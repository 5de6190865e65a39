/** The statements of pruning. */
import sql, { type Sql } from 'sql-template-tag'

/** Takes the turn to prune; another instance that has it is not waited for. */
export const takePruningTurn = (lock: number): Sql => sql`select pg_try_advisory_xact_lock(${lock}) as taken`

/** The oldest entries of a center, as far as pruning looks at once. */
export function selectOldest(center: string, after: { seq: number; limit: number }): Sql {
  return sql`
    select seq, at, encode(hash, 'hex') as hash
    from audit_entries
    where center_id = ${center} and seq > ${after.seq}
    order by seq
    limit ${after.limit}`
}

/** Takes out the entries up to one and the record lists that only they had, and notes where the chain now begins. */
export function deleteEntries(center: string, upTo: { seq: number; hash: string }): Sql {
  return sql`
    with gone as (
      delete from audit_entries where center_id = ${center} and seq <= ${upTo.seq}
      returning record_list
    ),
    lists as (
      delete from audit_record_lists l
      where l.center_id = ${center}
        and l.hash in (select record_list from gone where record_list is not null)
        and not exists (
          select 1 from audit_entries e
          where e.center_id = ${center} and e.record_list = l.hash and e.seq > ${upTo.seq}
        )
    )
    update audit_heads set pruned_seq = ${upTo.seq}, pruned_hash = decode(${upTo.hash}, 'hex')
    where center_id = ${center}`
}
