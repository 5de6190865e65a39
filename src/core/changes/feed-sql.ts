/** Statements that read a center's changes in commit order (migrations/0040-baseline.sql). */
import sql, { empty, type Sql } from 'sql-template-tag'
import type { CenterId } from '../records/centers/center.ts'
import type { Change } from './change.ts'
import { changeValues } from './changes-sql.ts'
import type { Position } from './cursor.ts'

/** Maximum number of commits examined at once, with or without changes. */
const COMMITS_MAX = 1000

const micros = (moment: Sql) => sql`(extract(epoch from ${moment}) * 1000000)::bigint`

const commitAt = (center: CenterId, revision: Sql) => sql`(
      select ${micros(sql`committed_at`)} from change_commits where center_id = ${center} and revision = ${revision}
    )`

/**
 * The end of the feed, and whether the position is still part of it, for the row `r` of the center's revision: the
 * first five values of `FeedRow`.
 */
export const feedState = (
  center: CenterId,
  { revision, offset }: Pick<Position, 'revision' | 'offset'>,
) => sql`
    r.revision, ${commitAt(center, sql`r.revision`)} as newest_at, r.history_id,
    (select revision from change_commits where center_id = ${center} order by revision limit 1) as oldest,
    ${commitAt(center, sql`${offset === 0 ? revision : revision + 1}`)} as place_at`

/**
 * The position after everything committed. Returns no row for a center that was never changed; otherwise one row with
 * the first five values of `selectFeed`.
 */
export const selectFeedEnd = (center: CenterId): Sql => sql`
  select ${feedState(center, { revision: 0, offset: 0 })}
  from center_revisions r where r.center_id = ${center}`

/** Whether the position is still part of the feed: at most one row with the first five values of `selectFeed`. */
export const selectFeedState = (
  center: CenterId,
  position: Pick<Position, 'revision' | 'offset'>,
): Sql => sql`
  select ${feedState(center, position)}
  from center_revisions r where r.center_id = ${center}`

/** Up to this many changes, each record is looked up. Beyond it, every record counts as changed. */
const MOVED_MAX = 20_000

export interface MovedSince {
  readonly kind: Change['kind']
  /** a commit that was read in part counts from its beginning */
  readonly position: Pick<Position, 'revision'>
  /** only records in which one of these columns has changed, or that were created or deleted; undefined: any column */
  readonly columns?: ReadonlySet<string>
}

/**
 * A condition: whether the record with this identifier has changed since. Evaluated once per statement, by the primary
 * keys of both tables. True for every record if more than `MOVED_MAX` changes are found.
 */
export function movedSince(center: CenterId, { kind, position, columns }: MovedSince, id: Sql): Sql {
  const shown =
    columns === undefined
      ? empty
      : sql`and (c.id = '*' or c.operation <> 'changed' or c.columns && ${[...columns]})`
  const moved = sql`(
      select c.id
      from change_commits m
      join changes c on c.center_id = ${center} and c.transaction_id = m.transaction_id
      where m.center_id = ${center} and m.revision > ${position.revision} and c.kind = ${kind} ${shown}
      limit ${MOVED_MAX + 1}
    )`
  return sql`(
    ${id} in ${moved}
    or exists (select from ${moved} w where w.id = '*')
    or (select count(*) from ${moved} w) > ${MOVED_MAX}
  )`
}

/** The same as an additional condition of a list, if requested. */
export const ifMoved = (center: CenterId, since: MovedSince | undefined, id: Sql): Sql =>
  since === undefined
    ? empty
    : sql`
      and ${movedSince(center, since, id)}`

/**
 * The changes after a position, in commit order, and within a commit by kind and identifier.
 *
 * Callers may rely on at most one row: the newest revision and its time, the history, the oldest known commit, the time
 * of the commit at the position, the last commit examined and its time, and at most `limit + 1` changes as a JSON array
 * of [revision, time, whether the guest is in `sessionId` now, then a `ChangeRow`]. Times are epoch µs. All values are
 * from one snapshot, which includes all commits before any commit in it, because each holds the revision until it ends.
 * Uses the primary keys of both tables: the changes of a commit are read only after those of the previous one.
 */
export function selectFeed(
  center: CenterId,
  position: Pick<Position, 'revision' | 'offset'>,
  limit: number,
  sessionId: string | undefined,
): Sql {
  const isInSession =
    sessionId === undefined
      ? sql`null::boolean`
      : sql`exists (
          select from booking_sessions bs
          where bs.center_id = ${center} and bs.session_id = ${sessionId} and bs.booking_id = n.id
        )`
  return sql`
  with commits as (
    select revision, transaction_id, committed_at from change_commits
    where center_id = ${center} and revision > ${position.revision}
    order by revision limit ${COMMITS_MAX}
  ), notes as materialized (
    select m.revision, m.committed_at, c.kind, c.id, c.operation, c.columns, c.session_ids, c.during
    from (select * from commits order by revision) m
    cross join lateral (
      select * from changes c where c.center_id = ${center} and c.transaction_id = m.transaction_id offset 0
    ) c
    order by m.revision, c.kind, c.id
    offset ${position.offset} limit ${limit + 1}
  ), last_commit as (
    select revision, committed_at from commits order by revision desc limit 1
  )
  select ${feedState(center, position)},
    (select revision from last_commit), (select ${micros(sql`committed_at`)} from last_commit),
    (
      select coalesce(json_agg(json_build_array(
        n.revision, ${micros(sql`n.committed_at`)}, ${isInSession},
        ${changeValues}
      ) order by n.revision, n.kind, n.id), '[]')
      from notes n
    )
  from center_revisions r where r.center_id = ${center}`
}
