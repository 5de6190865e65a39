/** Reads the commits of a center and the changes recorded for them (migrations/0006-changes.sql). */
import sql, { type Sql } from 'sql-template-tag'
import type { CenterId } from '../centers/center.ts'

/** The values of a `ChangeRow`, of the note `n`. Exported for the feed, which gives the same. */
export const changeValues: Sql = sql`n.kind, n.id, n.operation, n.columns, n.session_ids,
          (select coalesce(json_agg(json_build_array(
            floor(extract(epoch from lower(d)) * 1000), ceil(extract(epoch from upper(d)) * 1000)
          )), '[]') from unnest(n.during) as d)`

/**
 * The notes of the commits after one revision and up to another.
 *
 * Callers may rely on: exactly one row comes, with how many of those commits are still known (one for each revision
 * where none was pruned), and their notes as a JSON array of [revision, then a `ChangeRow`], in no order; `null` in place of the notes where there are more than
 * `limit`. Leans on the primary keys of both tables.
 */
export function selectChangesBetween(center: CenterId, after: number, upTo: number, limit: number): Sql {
  return sql`
    with commits as materialized (
      select revision, transaction_id from change_commits
      where center_id = ${center} and revision > ${after} and revision <= ${upTo}
    ), notes as materialized (
      select r.revision, c.kind, c.id, c.operation, c.columns, c.session_ids, c.during
      from commits r
      join changes c on c.center_id = ${center} and c.transaction_id = r.transaction_id
      limit ${limit + 1}
    )
    select
      (select count(*) from commits) as commits,
      case when (select count(*) from notes) <= ${limit} then (
        select coalesce(json_agg(json_build_array(
          n.revision, ${changeValues}
        )), '[]')
        from notes n
      ) end as notes`
}
