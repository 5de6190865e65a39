/** The statement of `GET /sessions`. */
import sql, { empty, join, type Sql } from 'sql-template-tag'
import type { CenterId } from '../centers/center.ts'
import { ifMoved, type MovedSince } from '../changes/feed-sql.ts'
import { selectIds, selectProof } from '../changes/snapshots-sql.ts'
import { ROLES } from '../fields/statuses.ts'
import type { Language } from '../locale/languages.ts'
import { termNames } from '../locale/term-names-sql.ts'
import type { Bounds } from '../request/bounds.ts'
import type { Page } from '../request/paging.ts'

/** What a list of sessions has in addition. */
export interface SessionColumns {
  readonly since?: MovedSince | undefined
  /** for the number of guests: statuses of bookings that are not counted (ruling 50); undefined: no number */
  readonly counted?: { readonly inactive: readonly string[] } | undefined
}

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
  { since, counted }: SessionColumns = {},
): Sql {
  return sql`
    with matched as materialized (
      ${listedSessions(center, bounds, since)}
    )
    select
      (select count(*) from matched) as total,
      (select revision from center_revisions where center_id = ${center}) as revision,
      ${sessionColumns(center, language, counted)}
    from (select 1) as one
    left join (
      select id, start_date from matched
      order by start_date, id
      limit ${page.length} offset ${(page.start - 1) * page.length}
    ) page on true
    left join sessions s on s.center_id = ${center} and s.id = page.id
    order by page.start_date, page.id`
}

/**
 * The active bookings of a session `s` by role, in the order of `ROLES`; null if they were not requested. A booking of
 * several sessions counts in each. Uses `booking_sessions_by_start`: as many rows are read as the session has bookings.
 */
const guestCounts = (center: CenterId, counted: SessionColumns['counted']): Sql =>
  counted === undefined
    ? sql`null::json`
    : sql`(
    select json_build_array(${join(
      ROLES.map((role) => sql`count(*) filter (where b.role = ${role})`),
      ', ',
    )})
    from booking_sessions b
    where b.center_id = ${center} and b.session_id = s.id and b.status <> all(${counted.inactive}))`

const sessionColumns = (center: CenterId, language: Language, counted: SessionColumns['counted']): Sql => {
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
      s.start_date, s.end_date, ${guestCounts(center, counted)} as guest_counts`
}

/**
 * All sessions of the list, or at most so many of those after one, in its order, with the same values as in a page.
 * Uses `sessions_by_start`.
 */
export function selectSessionRows(
  center: CenterId,
  bounds: Bounds,
  language: Language,
  { since, counted }: SessionColumns,
  after?: string,
  limit?: number,
): Sql {
  return sql`
    select ${sessionColumns(center, language, counted)}
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

/** The columns of bookings that define how many guests sessions have. */
export const SESSION_GUESTS_BY: ReadonlySet<string> = new Set([
  'bookings.role',
  'bookings.status',
  'bookings.session_ids',
])
