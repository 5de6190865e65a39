/** The statements that read a center's trail for verification. */
import sql, { type Sql } from 'sql-template-tag'
import { entryColumns } from './entries-sql.ts'
import { headColumns } from './heads-sql.ts'

/**
 * The centers that have a trail; those with only a part of one, because somebody may have deleted the head; and those
 * with a key that was used, because somebody may have deleted everything.
 */
export const selectTrails: Sql = sql`
  select center_id from audit_heads
  union
  select center_id from audit_entries
  union
  select center_id from audit_record_lists
  union
  select center_id from api_keys where last_used_at is not null
  order by center_id`

/** A center's entries in their order, one piece at a time. */
export function selectEntries(center: string, after: { seq: number; limit: number }): Sql {
  return sql`
    select ${entryColumns}
    from audit_entries e
    where e.center_id = ${center} and e.seq > ${after.seq}
    order by e.seq
    limit ${after.limit}`
}

/**
 * The entries of a chain that name one of these hashes as that of the previous entry. Reads all entries of the center.
 */
export function selectFollowers(
  center: string,
  hashes: readonly string[],
  { prunedSeq, seq }: { prunedSeq: number; seq: number },
): Sql {
  return sql`
    select encode(e.previous_hash, 'hex') as hash, max(e.seq) as seq
    from audit_entries e
    where e.center_id = ${center} and e.seq > ${prunedSeq} and e.seq <= ${seq}
      and e.previous_hash = any(array(select decode(h, 'hex') from unnest(${hashes}::text[]) h))
    group by e.previous_hash`
}

/** The ends of a center's chain by its head, its entries and its keys, and the database's clock, from one snapshot. */
export function selectEnds(center: string): Sql {
  return sql`
    select ${headColumns}, clock_timestamp() as now,
      (select max(e.seq) from audit_entries e where e.center_id = ${center}) as last_seq,
      (select max(e.at) from audit_entries e where e.center_id = ${center} and e.reads > 0) as newest_read,
      (select max(k.last_used_at) from api_keys k where k.center_id = ${center}) as last_used
    from (select 1) as one
    left join audit_heads on center_id = ${center}`
}

/** A center's record lists by hash, one piece at a time: fewer than the limit if they are long. */
export function selectRecordLists(
  center: string,
  after: { hash: string; limit: number; bytes: number },
): Sql {
  return sql`
    select encode(hash, 'hex') as hash, ids
    from (
      select hash, ids, sum(octet_length(ids)) over (order by hash) - octet_length(ids) as bytes_before
      from (
        select hash, ids
        from audit_record_lists
        where center_id = ${center} and hash > decode(${after.hash}, 'hex')
        order by hash
        limit ${after.limit}
      ) as lists
    ) as sized
    where bytes_before < ${after.bytes}
    order by hash`
}

/** The first few entries of a record list. */
export function selectEntriesOfList(center: string, hash: string): Sql {
  return sql`
    select seq
    from audit_entries
    where center_id = ${center} and record_list = decode(${hash}, 'hex')
    order by seq
    limit 10`
}

/** The first few entries whose record list does not exist. */
export function selectEntriesWithoutList(center: string): Sql {
  return sql`
    select e.seq
    from audit_entries e
    where e.center_id = ${center} and e.record_list is not null and not exists (
      select 1 from audit_record_lists l where l.center_id = ${center} and l.hash = e.record_list
    )
    order by e.seq
    limit 10`
}

/** The number of record lists that belong to no entry. Uses audit_entries_by_record_list. */
export function countUnusedLists(center: string): Sql {
  return sql`
    select count(*) as lists
    from audit_record_lists l
    where l.center_id = ${center} and not exists (
      select 1 from audit_entries e where e.center_id = ${center} and e.record_list = l.hash
    )`
}
