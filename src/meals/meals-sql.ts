/** The one statement of the meal-skipping report. */
import sql, { empty, raw, type Sql } from 'sql-template-tag'
import type { CenterId } from '../centers/center.ts'
import { epochMs } from '../database/json-rows.ts'
import { CUSTOMER_BESIDE_SESSIONS, type GuestFilters, type GuestPosition } from '../guests/guests-sql.ts'
import { oneRow } from '../guests/one-row-sql.ts'
import { lastOfSlice, revisionOf, severalSessions, sliceOf, startsOfSessions } from './slice-sql.ts'

/**
 * Counts the first 200 guests that the filters let through and selects those of them who have a skipped meal recorded.
 *
 * Callers may rely on: exactly one row comes, with the count, the revision, the guests' rows as json, in no
 * order, the starts of sessions, and, where there may be more guests, the last of them. Under a session filter each guest's
 * row ends with all the booking's sessions, null where there is one, and the starts are theirs. Of a date range only bookings with a skip are
 * read beyond the index, and of that no more than the 200: a report of many years is read in time that grows with its
 * guests.
 * @param after only guests that follow this one
 */
export const selectSkippingGuests = (
  center: CenterId,
  filters: GuestFilters,
  after?: GuestPosition,
): Sql => sql`
    with ${sliceOf(center, filters, { after })}
    select (select count(*) from slice) as total, ${skippingOf(center, filters)}`

/** The same of all guests in one row. */
export const selectAllSkippingGuests = (center: CenterId, filters: GuestFilters): Sql => sql`
    with ${sliceOf(center, filters)}
    select (select count(*) from slice) as total, ${skippingOf(center, filters)}`

/** Of the guests in `slice`. */
const skippingOf = (center: CenterId, filters: GuestFilters): Sql => sql`
      ${revisionOf(center)} as revision,
      (
        select coalesce(
          json_agg(json_build_array(b.id, c.first_name, c.last_name,
            ${raw(epochMs('b.start_date'))}, ${raw(epochMs('b.end_date'))}, b.skipping_meals${
              filters.sessionIds === undefined ? empty : sql`, ${severalSessions}`
            })),
          '[]'
        )
        from ${filters.sessionIds === undefined ? skippingAmongBookings(center) : skippingBesideSessions}
      ) as guests,
      ${filters.sessionIds === undefined ? raw(`'[]'::json`) : startsOfSessions(center)} as starts,
      ${lastOfSlice} as last`

/** What most guests have. */
export const NONE_SKIPPED = raw(`'{"breakfast": [], "lunch": [], "dinner": []}'`)

/** What a session's guests skip, and who they are, stands beside the session; there it is json, which has no comparison. */
const skippingBesideSessions = sql`(
          select * from slice where skipping_meals::text <> ${NONE_SKIPPED}::jsonb::text) b
        ${CUSTOMER_BESIDE_SESSIONS}`

const skippingAmongBookings = (center: CenterId): Sql => sql`
        slice join lateral ${oneRow(sql`
          bookings where center_id = ${center} and id = slice.id and skipping_meals <> ${NONE_SKIPPED}`)} b on true
        join lateral ${oneRow(sql`customers where center_id = b.center_id and id = b.customer_id`)} c on true`

/** Every column that the statement shows, as `table.column`. */
export const REPORT_COLUMNS: readonly string[] = [
  'bookings.customer_id',
  'bookings.skipping_meals',
  'customers.first_name',
  'customers.last_name',
  'sessions.id',
  'sessions.start_date',
]
