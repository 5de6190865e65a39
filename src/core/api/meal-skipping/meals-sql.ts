/** The statement of the meal-skipping report. */
import sql, { empty, raw, type Sql } from 'sql-template-tag'
import { epochMs } from '../../database/json-rows.ts'
import type { CenterId } from '../../records/centers/center.ts'
import { bookingsOfPage, CUSTOMER_NEXT_TO_SESSIONS } from '../guests/bookings-of-page-sql.ts'
import type { GuestFilters, GuestPosition } from '../guests/guests-sql.ts'
import { lastOfSlice, revisionOf, severalSessions, sliceOf, startsOfSessions } from './slice-sql.ts'

/**
 * Counts the first 200 guests that match the filters, and selects those who have a skipped meal recorded. Callers may
 * rely on: exactly one row, with the count, the revision, the guests' rows as JSON, in no order, the starts of
 * sessions, and the last guest, if there may be more. With a session filter, each guest's row ends with all sessions of
 * the booking, null if it has one, and the starts are of those sessions.
 *
 * For a date range, at most 200 entries of the index are read, and one row for each: the time of a report of many years
 * grows with its guests.
 * @param after only guests after this one
 */
export const selectSkippingGuests = (
  center: CenterId,
  filters: GuestFilters,
  after?: GuestPosition,
): Sql => sql`
    with ${sliceOf(center, filters, { after })}
    select (select count(*) from slice) as total, ${skippingOf(center, filters)}`

/** The same for all guests in one row. */
export const selectAllSkippingGuests = (center: CenterId, filters: GuestFilters): Sql => sql`
    with ${sliceOf(center, filters)}
    select (select count(*) from slice) as total, ${skippingOf(center, filters)}`

/** For the guests in `slice`. */
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
        from ${filters.sessionIds === undefined ? skippingInRange(center) : skippingInSession}
      ) as guests,
      ${filters.sessionIds === undefined ? raw(`'[]'::json`) : startsOfSessions(center)} as starts,
      ${lastOfSlice} as last`

/** The value of most guests. */
export const NONE_SKIPPED = raw(`'{"breakfast": [], "lunch": [], "dinner": []}'`)

/** Skipped meals and names are next to sessions. Skipped meals are `json` there, which cannot be compared. */
const skipping = sql`
        ${CUSTOMER_NEXT_TO_SESSIONS}
        where b.skipping_meals::text <> ${NONE_SKIPPED}::jsonb::text`

const skippingInSession = sql`slice b ${skipping}`

/** One row is read of a guest, instead of the booking and the customer: half of the statement's time. */
const skippingInRange = (center: CenterId): Sql =>
  sql`slice page ${bookingsOfPage(center, { isNextToSessions: true })} ${skipping}`

/** Every column that the statement shows, as `table.column`. */
export const REPORT_COLUMNS: readonly string[] = [
  'bookings.customer_id',
  'bookings.skipping_meals',
  'customers.first_name',
  'customers.last_name',
  'sessions.id',
  'sessions.start_date',
]
