/** The statement of `GET /sessions`. */
import sql, { empty, type Sql } from 'sql-template-tag'
import type { CenterId } from '../centers/center.ts'
import { ifMoved, type MovedSince } from '../changes/feed-sql.ts'
import { selectIds, selectProof } from '../changes/snapshots-sql.ts'
import type { Language } from '../locale/languages.ts'
import { termNames } from '../locale/term-names-sql.ts'
import type { Bounds } from '../request/bounds.ts'
import type { Page } from '../request/paging.ts'

/**
 * Selects one page of the sessions that overlap the range (ruling 14), by start, then identifier. Callers may rely on:
 * there is always at least one row, beginning with `total` and `revision`; if the page is empty, the third value, the
 * identifier, is null. Uses `sessions_by_start`. A center has only hundreds of sessions, so the range is counted along
 * that index.
 */
export function selectSessionsPage(
  center: CenterId,
  bounds: Bounds,
  page: Page,
  language: Language,
  since?: MovedSince,
): Sql {
  return sql`
    with matched as materialized (
      ${listedSessions(center, bounds, since)}
    )
    select
      (select count(*) from matched) as total,
      (select revision from center_revisions where center_id = ${center}) as revision,
      ${sessionColumns(language)}
    from (select 1) as one
    left join (
      select id, start_date from matched
      order by start_date, id
      limit ${page.length} offset ${(page.start - 1) * page.length}
    ) page on true
    left join sessions s on s.center_id = ${center} and s.id = page.id
    order by page.start_date, page.id`
}

const sessionColumns = (language: Language): Sql => {
  const named = (set: Sql, ids: Sql) => sql`(
    select coalesce(
      jsonb_agg(
        jsonb_build_object('_id', listed.id, 'name', coalesce(${termNames(language)}, listed.id))
        order by listed.position
      ),
      '[]'
    )
    from unnest(${ids}) with ordinality as listed (id, position)
    left join terms t on t.center_id = s.center_id and t.term_set = ${set} and t.id = listed.id)`
  return sql`s.id, s.name, s.number, s.text,
      ${named(sql`'program'`, sql`s.program_ids`)} as programs,
      ${named(sql`'unit'`, sql`s.unit_ids`)} as units,
      s.start_date, s.end_date`
}

/**
 * All sessions of the list, or at most so many of those after one, in its order, with the same values as in a page.
 * Uses `sessions_by_start`.
 */
export function selectSessionRows(
  center: CenterId,
  bounds: Bounds,
  language: Language,
  since: MovedSince | undefined,
  after?: string,
  limit?: number,
): Sql {
  return sql`
    select ${sessionColumns(language)}
    from (
      select id, start_date from (${listedSessions(center, bounds, since)}) listed
      ${
        after === undefined
          ? empty
          : sql`where (start_date, id) > (
        select p.start_date, p.id from sessions p where p.center_id = ${center} and p.id = ${after})`
      }
      order by start_date, id
      ${limit === undefined ? empty : sql`limit ${limit}`}
    ) page
    join sessions s on s.center_id = ${center} and s.id = page.id
    order by page.start_date, page.id`
}

/** Their identifiers, in the form of `selectIds`. */
export const idsOfSessions = (center: CenterId, bounds: Bounds, since?: MovedSince): Sql =>
  selectIds(listedSessions(center, bounds, since), sql`l.start_date, l.id`)

/** The number of sessions of the list, and their digest in its order. */
export const proofOfSessions = (center: CenterId, bounds: Bounds, since?: MovedSince): Sql =>
  selectProof(listedSessions(center, bounds, since), sql`l.start_date, l.id`)

const listedSessions = (center: CenterId, bounds: Bounds, since: MovedSince | undefined): Sql => sql`
      select id, start_date from sessions
      where center_id = ${center} and start_date <= ${bounds.upper} and end_date >= ${bounds.lower}${ifMoved(center, since, sql`sessions.id`)}`

/** The columns that define which sessions a list has, and in which order. */
export const SESSIONS_LISTED_BY: ReadonlySet<string> = new Set(['sessions.start_date', 'sessions.end_date'])
