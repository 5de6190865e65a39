/** The statements that delete old recorded changes. */
import sql, { type Sql } from 'sql-template-tag'

/** The centers with recorded commits. One index look-up for each, however many commits it has. */
export const selectCentersWithCommits: Sql = sql`
  with recursive centers as (
    (select center_id from change_commits order by center_id limit 1)
    union all
    select (
      select c.center_id from change_commits c where c.center_id > centers.center_id order by c.center_id limit 1
    )
    from centers where centers.center_id is not null
  )
  select center_id from centers where center_id is not null`

/**
 * Deletes a center's oldest commits that are older than this number of days, at most `limit` and never the newest, and
 * the changes that belong to no other commit. Returns exactly one row: the number of commits deleted.
 */
export function deleteOldCommits(center: string, days: number, limit: number): Sql {
  return sql`
    with oldest as (
      select revision, transaction_id, committed_at from change_commits
      where center_id = ${center} order by revision limit ${limit}
    ), gone as (
      delete from change_commits c
      using oldest
      where c.center_id = ${center} and c.revision = oldest.revision
        and oldest.committed_at < clock_timestamp() - make_interval(days => ${days})
        and exists (
          select from change_commits newer where newer.center_id = ${center} and newer.revision > oldest.revision
        )
      returning c.revision, c.transaction_id
    ), notes as (
      delete from changes n
      using gone
      where n.center_id = ${center} and n.transaction_id = gone.transaction_id
        -- A database that was restored may have given a transaction's number twice.
        and not exists (
          select from change_commits c
          where c.center_id = ${center} and c.transaction_id = gone.transaction_id and c.revision <> gone.revision
        )
    )
    select count(*) as commits from gone`
}
