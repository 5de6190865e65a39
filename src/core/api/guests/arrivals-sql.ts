/** The statement of `GET /guests/arrivals.ics`. */
import sql, { type Sql } from 'sql-template-tag'
import { lastChangeOfAny } from '../../changes/last-changes-sql.ts'
import type { CenterId } from '../../records/centers/center.ts'
import { type GuestFilters, guestsMatching, matchedGuests } from './guests-sql.ts'
import { oneRow } from './one-row-sql.ts'

/**
 * The stays that match the filters: grouped by start, end and role with a count, or one by one with identifier and
 * name. Callers may rely on: every row begins with the revision and the last change of any of these guests; without a
 * stay there is no row. The order is undefined. Uses the indexes of the list of guests.
 */
export const selectStays = (center: CenterId, filters: GuestFilters, withNames: boolean): Sql => sql`
  with matched as materialized (${matchedGuests(center, filters)})
  select (select revision from center_revisions where center_id = ${center}) as revision,
    ${lastChangeOfAny(center, arrivalsMatching(filters, withNames))} as changed,
    b.start_date, b.end_date, b.role,
    ${withNames ? sql`1 as stays, b.id, c.first_name, c.last_name` : sql`count(*) as stays`}
  from matched m
  join lateral ${oneRow(sql`bookings where center_id = ${center} and id = m.id`)} b on true
  ${withNames ? sql`join lateral ${oneRow(sql`customers where center_id = ${center} and id = b.customer_id`)} c on true` : sql`group by b.start_date, b.end_date, b.role`}`

/** The columns that it shows, in addition to those that define the list, as `table.column`. */
const NAMES: readonly string[] = ['bookings.customer_id', 'customers.first_name', 'customers.last_name']
const NUMBERS: readonly string[] = []

/** What it shows of guests. */
export const arrivalsMatching = (filters: GuestFilters, withNames: boolean) =>
  guestsMatching(filters, withNames ? NAMES : NUMBERS)
