/** The guests that a statement for the kitchen reads: a part of those that match the filters, or all of them. */
import sql, { raw, type Sql } from 'sql-template-tag'
import { epochMs } from '../../database/json-rows.ts'
import type { CenterId } from '../../records/centers/center.ts'
import { type GuestFilters, type GuestPosition, matchedGuests } from '../guests/guests-sql.ts'

/** Reading this many takes the database two milliseconds, and receiving the answer less than one. */
const GUESTS_PER_ROW = 200

/**
 * A member of `with`; each row is in the form of `matchedGuests`.
 * @param from the first 200, or those after a guest; undefined: all
 */
export const sliceOf = (
  center: CenterId,
  filters: GuestFilters,
  from?: { readonly after: GuestPosition | undefined },
): Sql =>
  from === undefined
    ? sql`slice as materialized (${matchedGuests(center, filters)})`
    : sql`slice as materialized (
      select * from (${matchedGuests(center, filters, { after: from.after, limit: GUESTS_PER_ROW })}) matched
      order by start_date, id limit ${GUESTS_PER_ROW}
    )`

export const revisionOf = (center: CenterId): Sql =>
  sql`(select revision from center_revisions where center_id = ${center})`

/** The last guest of a slice, if there may be more. */
export const lastOfSlice = sql`(
        select json_build_array(start_date, id) from slice
        order by start_date, id offset ${GUESTS_PER_ROW - 1} limit 1
      )`

/** The sessions of a guest of a session's slice, in the row `b`; null if there is one. */
export const severalSessions = sql`case when cardinality(b.session_ids) > 1 then to_json(b.session_ids) end`

/**
 * Identifier and start of each session of a guest who has several, along an index of the sessions. Each is read once:
 * looking them up for each guest took a third of the statement.
 */
export const startsOfSessions = (center: CenterId): Sql => sql`(
        select coalesce(json_agg(json_build_array(s.id, ${raw(epochMs('s.start_date'))})), '[]')
        from (select distinct unnest(session_ids) as id from slice where cardinality(session_ids) > 1) several
        join sessions s on s.center_id = ${center} and s.id = several.id
      )`
