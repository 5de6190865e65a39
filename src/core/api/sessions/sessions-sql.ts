/** The guests of sessions, counted. */
import sql, { join, type Sql } from 'sql-template-tag'
import type { CenterId } from '../../records/centers/center.ts'
import { ROLES } from '../../records/fields/statuses.ts'

/**
 * The active bookings of a session `s` by role, in the order of `ROLES` (ruling 50). A booking of several sessions
 * counts in each. Uses `booking_sessions_by_start`: as many rows are read as the session has bookings.
 * @param inactive statuses of bookings that are not counted
 */
export const guestCounts = (center: CenterId, inactive: readonly string[]): Sql => sql`(
    select json_build_array(${join(
      ROLES.map((role) => sql`count(*) filter (where b.role = ${role})`),
      ', ',
    )})
    from booking_sessions b
    where b.center_id = ${center} and b.session_id = s.id and b.status <> all(${inactive}))`

/** The columns of bookings that define how many guests sessions have. */
export const SESSION_GUESTS_BY: ReadonlySet<string> = new Set([
  'bookings.role',
  'bookings.status',
  'bookings.session_ids',
])
