/** The one statement that reads a center's changes in commit order (migrations/0006-changes.sql). */
import sql, { empty, type Sql } from 'sql-template-tag'
import type { CenterId } from '../centers/center.ts'
import type { Change } from './change.ts'
import { changeValues } from './changes-sql.ts'
import type { Place } from './cursor.ts'

/** So many commits are looked through at a time, with notes or without. */
const COMMITS_MAX = 1000

const micros = (moment: Sql) => sql`(extract(epoch from ${moment}) * 1000000)::bigint`

const commitAt = (center: CenterId, revision: Sql) => sql`(
      select ${micros(sql`committed_at`)} from change_commits where center_id = ${center} and revision = ${revision}
    )`

/**
 * Where the feed ends now, and whether the place is still part of it, of the row `r` of the center's revision: the
 * first five values of `FeedRow`.
 */
export const feedState = (center: CenterId, { revision, offset }: Pick<Place, 'revision' | 'offset'>) => sql`
    r.revision, ${commitAt(center, sql`r.revision`)} as newest_at, r.history_id,
    (select revision from change_commits where center_id = ${center} order by revision limit 1) as oldest,
    ${commitAt(center, sql`${offset === 0 ? revision : revision + 1}`)} as place_at`

/**
 * The place after everything that was committed. No row comes for a center that nothing ever touched, else one: of
 * the values of `selectFeed` the first five.
 */
export const selectFeedEnd = (center: CenterId): Sql => sql`
  select ${feedState(center, { revision: 0, offset: 0 })}
  from center_revisions r where r.center_id = ${center}`

/** Whether the place is still part of the feed; one row at most, of the values of `selectFeed` the first five. */
export const selectFeedState = (center: CenterId, place: Pick<Place, 'revision' | 'offset'>): Sql => sql`
  select ${feedState(center, place)}
  from center_revisions r where r.center_id = ${center}`

/** A list asks for so many at most one by one; where more moved, everything counts as moved. */
const MOVED_MAX = 20_000

export interface MovedSince {
  readonly kind: Change['kind']
  /** a commit that the place stands in counts from its beginning */
  readonly place: Pick<Place, 'revision'>
  /** only things of which one of these has moved, or that came or went; undefined: any */
  readonly columns?: ReadonlySet<string>
}

/**
 * A condition: whether the thing of this identifier has moved since. Looked up once for a statement, along the primary
 * keys of both tables; a superset where more than `MOVED_MAX` notes are found.
 */
export function movedSince(center: CenterId, { kind, place, columns }: MovedSince, id: Sql): Sql {
  const shown =
    columns === undefined
      ? empty
      : sql`and (c.id = '*' or c.operation <> 'changed' or c.columns && ${[...columns]})`
  const moved = sql`(
      select c.id
      from change_commits m
      join changes c on c.center_id = ${center} and c.transaction_id = m.transaction_id
      where m.center_id = ${center} and m.revision > ${place.revision} and c.kind = ${kind} ${shown}
      limit ${MOVED_MAX + 1}
    )`
  return sql`(
    ${id} in ${moved}
    or exists (select from ${moved} w where w.id = '*')
    or (select count(*) from ${moved} w) > ${MOVED_MAX}
  )`
}

/** The same behind the conditions of a list, where it is asked for. */
export const ifMoved = (center: CenterId, since: MovedSince | undefined, id: Sql): Sql =>
  since === undefined
    ? empty
    : sql`
      and ${movedSince(center, since, id)}`

/**
 * The notes after a place, in commit order, within a commit by kind and identifier.
 *
 * Callers may rely on: at most one row comes, with the newest revision and its moment, the history, the oldest commit
 * that is known, the moment of the commit that the place stands at, the last commit that was looked at and its
 * moment, and at most `limit + 1` notes as a JSON array of [revision, moment, whether the guest is in `sessionId` now,
 * then a `ChangeRow`]. Moments are epoch µs. All from one snapshot; a commit is seen with all that were before it, because
 * each holds the revision until it is over.
 * Leans on the primary keys of both tables: a commit's notes are read only once those of the one before it were.
 */
export function selectFeed(
  center: CenterId,
  place: Pick<Place, 'revision' | 'offset'>,
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
    where center_id = ${center} and revision > ${place.revision}
    order by revision limit ${COMMITS_MAX}
  ), notes as materialized (
    select m.revision, m.committed_at, c.kind, c.id, c.operation, c.columns, c.session_ids, c.during
    from (select * from commits order by revision) m
    cross join lateral (
      select * from changes c where c.center_id = ${center} and c.transaction_id = m.transaction_id offset 0
    ) c
    order by m.revision, c.kind, c.id
    offset ${place.offset} limit ${limit + 1}
  ), last_commit as (
    select revision, committed_at from commits order by revision desc limit 1
  )
  select ${feedState(center, place)},
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
