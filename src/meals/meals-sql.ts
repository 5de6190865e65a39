/** The one statement of the meal-skipping report. */
import sql, { empty, raw, type Sql } from 'sql-template-tag'
import type { CenterId } from '../centers/center.ts'
import { epochMs } from '../database/json-rows.ts'
import { type GuestFilters, matchedGuests, oneRow } from '../guests/guests-sql.ts'

/**
 * Counts the guests that the filters let through and selects those who have a skipped meal recorded.
 *
 * Callers may rely on: exactly one row comes, with the total, the revision, and the guests' rows as json, in no
 * order. Under a session filter each row ends with the starts of all the booking's sessions, in no order, null
 * where there is one. Only bookings with a skip are read beyond the index.
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
            ${raw(epochMs('b.start_date'))}, ${raw(epochMs('b.end_date'))}, b.skipping_meals${
              filters.sessionIds === undefined ? empty : sql`, ${sessionStarts}`
            })),
          '[]'
        )
        from matched
        join lateral ${oneRow(sql`
          bookings where center_id = ${center} and id = matched.id
            and skipping_meals <> '{"breakfast": [], "lunch": [], "dinner": []}'`)} b on true
        join lateral ${oneRow(sql`customers where center_id = b.center_id and id = b.customer_id`)} c on true
      ) as guests`
}

/** Every column that the statement shows, as `table.column`. */
export const REPORT_COLUMNS: readonly string[] = [
  'bookings.customer_id',
  'bookings.skipping_meals',
  'customers.first_name',
  'customers.last_name',
  'sessions.id',
  'sessions.start_date',
]

/** Identifier and start of each session of booking `b`, along an index of the sessions. */
const sessionStarts = sql`
          case when cardinality(b.session_ids) > 1 then (
            select json_agg(json_build_array(s.id, ${raw(epochMs('s.start_date'))}))
            from sessions s where s.center_id = b.center_id and s.id = any(b.session_ids)
          ) end`
