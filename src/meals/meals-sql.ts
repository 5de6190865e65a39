/** The one statement of the meal-skipping report. */
import sql, { raw, type Sql } from 'sql-template-tag'
import type { CenterId } from '../centers/center.ts'
import { epochMs } from '../database/json-rows.ts'
import { type GuestFilters, matchedGuests, oneRow } from '../guests/guests-sql.ts'

/**
 * Counts the guests that the filters let through and selects those who have a skipped meal recorded.
 *
 * Callers may rely on: exactly one row comes, with the total, the revision, and the guests' rows as json, in no
 * order. Only bookings with a skip are read beyond the index.
 */
export function selectSkippingGuests(center: CenterId, filters: GuestFilters): Sql {
  return sql`
    with matched as materialized (${matchedGuests(center, filters)})
    select
      (select count(*) from matched) as total,
      (select revision from center_revisions where center_id = ${center}) as revision,
      (
        select coalesce(
          json_agg(json_build_array(b.id, c.first_name, c.last_name,
            ${raw(epochMs('b.start_date'))}, ${raw(epochMs('b.end_date'))}, b.skipping_meals)),
          '[]'
        )
        from matched
        join lateral ${oneRow(sql`
          bookings where center_id = ${center} and id = matched.id
            and skipping_meals <> '{"breakfast": [], "lunch": [], "dinner": []}'`)} b on true
        join lateral ${oneRow(sql`customers where center_id = b.center_id and id = b.customer_id`)} c on true
      ) as guests`
}
