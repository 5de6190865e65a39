/** The guests that a kitchen's statement is about: a slice of those that the filters let through, or all of them. */
import sql, { type Sql } from 'sql-template-tag'
import type { CenterId } from '../centers/center.ts'
import { type GuestFilters, type GuestPosition, matchedGuests } from '../guests/guests-sql.ts'

/** Reading so many takes the database two milliseconds, and taking in what it answers less than one. */
const GUESTS_PER_ROW = 200

/**
 * As a part of `with`; each row is as `matchedGuests` has it.
 * @param from the first 200, of those that follow a guest where there is one; undefined: all
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

/** The last guest of a slice, where there may be more. */
export const lastOfSlice = sql`(
        select json_build_array(start_date, id) from slice
        order by start_date, id offset ${GUESTS_PER_ROW - 1} limit 1
      )`
