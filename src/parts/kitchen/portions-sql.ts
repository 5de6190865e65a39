/** The statement of the portions: every guest of the range, with the values that decide which portions they get. */
import sql, { empty, join, raw, type Sql } from 'sql-template-tag'
import type { GuestFilters, GuestPosition } from '../../core/api/guests/guests-sql.ts'
import { oneRow } from '../../core/api/guests/one-row-sql.ts'
import { NONE_SKIPPED } from '../../core/api/meal-skipping/meals-sql.ts'
import {
  lastOfSlice,
  revisionOf,
  severalSessions,
  sliceOf,
  startsOfSessions,
} from '../../core/api/meal-skipping/slice-sql.ts'
import { epochMs } from '../../core/database/json-rows.ts'
import type { Language } from '../../core/locale/languages.ts'
import { termNames } from '../../core/locale/term-names-sql.ts'
import type { CenterId } from '../../core/records/centers/center.ts'

/** What is read of each guest, in addition to the stay. */
export interface PortionColumns {
  readonly language: Language
  /** the custom fields that are diets and may be shown */
  readonly diets: readonly { readonly field: string; readonly owner: 'customer' | 'booking' }[]
  readonly withNames: boolean
}

/**
 * The first 200 guests that match the filters, with and without skipped meals. Callers may rely on: exactly one row,
 * with the revision, the guests' rows as JSON (`PortionRow`), in no order, the names of their programs, rooms and
 * packages with the meals that they include, with a session filter the starts of the sessions of those who have several, and the last guest, if there may be more.
 * Customers are read only if a value of theirs is shown. Uses the indexes of `matchedGuests` and primary keys.
 * @param after only guests after this one
 */
export const selectPortions = (
  center: CenterId,
  filters: GuestFilters,
  columns: PortionColumns,
  after?: GuestPosition,
): Sql => sql`
    with ${sliceOf(center, filters, { after })}
    ${portionsOf(center, filters, columns)}`

/** The same for all guests in one row. */
export const selectAllPortions = (
  center: CenterId,
  filters: GuestFilters,
  columns: PortionColumns,
): Sql => sql`
    with ${sliceOf(center, filters)}
    ${portionsOf(center, filters, columns)}`

/** For the guests in `slice`. A few terms are used by many guests, so each is looked up once and not for each guest. */
const portionsOf = (
  center: CenterId,
  { sessionIds }: GuestFilters,
  { language, diets, withNames }: PortionColumns,
): Sql => sql`, guest as materialized (
      select b.id, b.start_date, b.end_date, b.role, b.status, nullif(b.skipping_meals, ${NONE_SKIPPED}) as skips,
        b.program_id, b.package_id, b.meals as own_meals, b.accommodation ->> 'roomId' as room_id, b.acc_segments,
        ${diets.length === 0 ? raw('null') : sql`json_build_array(${join(diets.map(dietValue), ', ')})`} as diets,
        ${sessionIds === undefined ? raw('null::json') : severalSessions} as of_sessions,
        ${raw(withNames ? 'c.first_name, c.last_name' : 'null as first_name, null as last_name')}
      from slice
      join lateral ${oneRow(sql`bookings where center_id = ${center} and id = slice.id`)} b on true
      ${
        withNames || diets.some(({ owner }) => owner === 'customer')
          ? sql`join lateral ${oneRow(sql`customers where center_id = ${center} and id = b.customer_id`)} c on true`
          : empty
      }
    )
    select
      ${revisionOf(center)} as revision,
      (
        select coalesce(
          json_agg(json_build_array(id, ${raw(epochMs('start_date'))}, ${raw(epochMs('end_date'))}, role, status, skips,
            program_id, room_id, diets, of_sessions, first_name, last_name, package_id, own_meals, acc_segments)),
          '[]'
        )
        from guest
      ) as guests,
      (
        select coalesce(json_agg(json_build_array(t.term_set, t.id, coalesce(${termNames(language)}), t.meals)), '[]')
        from (
          select 'program' as term_set, program_id as id from guest union select 'room', room_id from guest
          union select 'package', package_id from guest
          union select 'room', segment ->> 'roomId' from guest, jsonb_array_elements(acc_segments) as s (segment)
        ) used
        join lateral ${oneRow(sql`terms where center_id = ${center} and term_set = used.term_set and id = used.id`)} t on true
      ) as names,
      ${sessionIds === undefined ? raw(`'[]'::json`) : startsOfSessions(center)} as starts,
      ${lastOfSlice} as last`

const dietValue = ({ field, owner }: PortionColumns['diets'][number]): Sql =>
  sql`${raw(owner === 'customer' ? 'c' : 'b')}.meta -> ${field}`

/** Every column that the statement shows, as `table.column`. */
export const portionColumns = ({ diets, withNames }: PortionColumns): readonly string[] => [
  'bookings.skipping_meals',
  'bookings.program_id',
  'bookings.package_id',
  'bookings.meals',
  'bookings.accommodation',
  'bookings.acc_segments',
  'sessions.id',
  'sessions.start_date',
  ...(withNames ? ['bookings.customer_id', 'customers.first_name', 'customers.last_name'] : []),
  ...diets.flatMap(({ owner }) =>
    owner === 'booking' ? ['bookings.meta'] : ['bookings.customer_id', 'customers.meta'],
  ),
]
