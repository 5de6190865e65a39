/** How the bookings of a page are read: from next to their sessions, if all shown values are there. */
import sql, { raw, type Sql } from 'sql-template-tag'
import type { CenterId } from '../../records/centers/center.ts'
import { oneRow, rowsByKey } from './one-row-sql.ts'
import type { Selection } from './selection-sql.ts'

/**
 * The columns next to each session of a booking, of the booking and of its customer, with the same names
 * (migrations/0040-baseline.sql). Exported for what a projection selects.
 */
export const NEXT_TO_SESSIONS = {
  bookings: ['customer_id', 'role', 'status', 'end_date', 'session_ids', 'skipping_meals'],
  customers: ['first_name', 'last_name', 'email'],
}

/**
 * The same as columns of a booking and its customer. Skipped meals are `json` next to sessions, and `jsonb` elsewhere.
 */
export const nextToSession = (booking: string, customer: string): Sql =>
  raw(
    [
      ...NEXT_TO_SESSIONS.bookings.map((name) =>
        name === 'skipping_meals' ? `${booking}.${name}::json` : `${booking}.${name}`,
      ),
      ...NEXT_TO_SESSIONS.customers.map((name) => `${customer}.${name}`),
    ].join(', '),
  )

/** The customer `c` of a session's guest `b` from `matchedGuests`, if no other columns of the customer are read. */
export const CUSTOMER_NEXT_TO_SESSIONS = sql`cross join lateral (select ${raw(NEXT_TO_SESSIONS.customers.map((name) => `b.${name}`).join(', '))}) c`

/** The bookings of a page. @param guests those of the page */
export function bookedOf(
  guests: Sql,
  isListed: boolean,
  center: CenterId,
  selection: Pick<Selection, 'isNextToSessions'>,
): Sql {
  if (isListed) return guests
  if (!selection.isNextToSessions)
    return rowsByKey('bookings', 'id', center, sql`select id from ${guests} page`)
  return sql`
        select b.* from ${guests} page
        ${bookingsOfPage(center, selection)}`
}

/**
 * The booking `b` of each row of a page. If all its shown values are next to its sessions, so are those of its customer,
 * and one row is read instead of two; only a booking without a session is read itself.
 */
export function bookingsOfPage(
  center: CenterId,
  { isNextToSessions }: Pick<Selection, 'isNextToSessions'>,
): Sql {
  const booking = oneRow(sql`bookings where center_id = ${center} and id = page.id`)
  if (!isNextToSessions) return sql`join lateral ${booking} b on true`
  return sql`join lateral (
          select k.booking_id as id, k.center_id, k.start_date, ${nextToSession('k', 'k')}
          from booking_sessions k
          where k.center_id = ${center} and k.booking_id = page.id
          union all
          select k.id, k.center_id, k.start_date, ${nextToSession('k', 'c')}
          from ${booking} k
          join lateral ${oneRow(sql`customers where center_id = k.center_id and id = k.customer_id`)} c on true
          limit 1
        ) b on true`
}
