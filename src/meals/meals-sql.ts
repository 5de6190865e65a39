/** The one statement of the meal-skipping report. */
import sql, { type Sql } from 'sql-template-tag'
import type { CenterId } from '../centers/center.ts'
import { type GuestFilters, matchedGuests } from '../guests/guests-sql.ts'

/**
 * Counts the guests that the filters let through and selects those who have a skipped meal recorded.
 *
 * Callers may rely on: at least one row always comes, beginning with `total` and `revision`; where nobody
 * skips, the third value, the booking's identifier, is null. Rows come in no order.
 */
export function selectSkippingGuests(center: CenterId, filters: GuestFilters): Sql {
  return sql`
    with matched as materialized (${matchedGuests(center, filters)})
    select
      (select count(*) from matched) as total,
      (select revision from center_revisions where center_id = ${center}) as revision,
      skipping.id, skipping.first_name, skipping.last_name,
      skipping.start_date, skipping.end_date, skipping.skipping_meals
    from (select 1) as one
    left join (
      select b.id, c.first_name, c.last_name, b.start_date, b.end_date, b.skipping_meals
      from matched
      join bookings b on b.center_id = ${center} and b.id = matched.id
      join customers c on c.center_id = b.center_id and c.id = b.customer_id
      where b.skipping_meals <> '{"breakfast": [], "lunch": [], "dinner": []}'
    ) skipping on true`
}
