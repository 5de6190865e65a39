/** Reads the commits of a center and the changes recorded for them (migrations/0040-baseline.sql). */
import sql, { type Sql } from 'sql-template-tag'
import type { CenterId } from '../records/centers/center.ts'

/** The values of a `ChangeRow` from the recorded change `n`. Exported for the feed, which returns the same. */
export const changeValues: Sql = sql`n.kind, n.id, n.operation, n.columns, n.session_ids,
          (select coalesce(json_agg(json_build_array(
            floor(extract(epoch from lower(d)) * 1000), ceil(extract(epoch from upper(d)) * 1000)
          )), '[]') from unnest(n.during) as d)`

/**
 * The recorded changes of the commits after one revision up to and including another.
 *
 * Callers may rely on exactly one row: the number of those commits that are still known (one for each revision unless
 * some were pruned), and their changes as a JSON array of [revision, then a `ChangeRow`], in no order; `null` instead
 * of the array if there are more than `limit`. Uses the primary keys of both tables.
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
