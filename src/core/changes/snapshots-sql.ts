/** The statements of a snapshot of a list: whether it is still valid, and the proof that it was read completely. */
import sql, { empty, join, type Sql } from 'sql-template-tag'
import type { CenterId } from '../records/centers/center.ts'
import { type Dependency, WHOLE_KIND } from './change.ts'
import type { Position } from './cursor.ts'
import { feedState } from './feed-sql.ts'

/** Maximum number of changes of a kind that are examined. If there are more, everything counts as changed. */
const LOOKED_THROUGH_MAX = 50_000

/**
 * Whether anything that an answer shows has changed since a position: the result of `touches` (change.ts) for each
 * recorded change since, computed in the database, which knows all of them. A commit that was read in part counts from
 * its beginning.
 *
 * Callers may rely on at most one row: the first five values of `selectFeed`, and the result; all from one snapshot.
 * Uses the primary keys of both tables.
 */
export function selectTouchedSince(
  center: CenterId,
  position: Pick<Position, 'revision' | 'offset'>,
  dependencies: readonly Dependency[],
): Sql {
  return sql`
  select ${feedState(center, position)},
    (
      select count(*) > ${LOOKED_THROUGH_MAX} or coalesce(bool_or(n.touches), false)
      from (
        select (${join(dependencies.map(touchesOne), ' or ')}) as touches
        from change_commits m
        join changes c on c.center_id = ${center} and c.transaction_id = m.transaction_id
        where m.center_id = ${center} and m.revision > ${position.revision}
          and c.kind = any(${[...new Set(dependencies.map(({ kind }) => kind))]})
        limit ${LOOKED_THROUGH_MAX + 1}
      ) n
    ) as touched
  from center_revisions r where r.center_id = ${center}`
}

/** The condition of `touches` for one dependency, on a recorded change `c`. */
export function touchesOne({ kind, ids, sessionIds, during, columns }: Dependency): Sql {
  const moment = (at: number | undefined) => sql`to_timestamp(${at ?? null}::double precision / 1000)`
  return sql`(c.kind = ${kind} and (c.id = ${WHOLE_KIND} or (true
          ${ids === undefined ? empty : sql`and c.id = any(${[...ids]})`}
          ${sessionIds === undefined ? empty : sql`and c.session_ids && ${[...sessionIds]}`}
          ${during === undefined ? empty : sql`and c.during && tstzmultirange(tstzrange(${moment(during.from)}, ${moment(during.to)}, '[]'))`}
          ${columns === undefined ? empty : sql`and (c.operation <> 'changed' or c.columns && ${[...columns]})`}
        )))`
}

/** One row with one text: the identifiers of the list in its order, each followed by a line break. */
export const selectIds = (listed: Sql, order: Sql): Sql => sql`
  select coalesce(string_agg(l.id || chr(10), '' order by ${order}), '') from (${listed}) l`

/**
 * One row: the number of records, and the SHA-256 (lower-case hexadecimal) of all identifiers in the list's order, each
 * followed by a line break.
 * @param listed selects `id` of every record in the list, and the columns for its order
 * @param order columns of `listed`
 */
export const selectProof = (listed: Sql, order: Sql): Sql => sql`
  select count(*),
    encode(sha256(convert_to(coalesce(string_agg(l.id || chr(10), '' order by ${order}), ''), 'UTF8')), 'hex')
  from (${listed}) l`
