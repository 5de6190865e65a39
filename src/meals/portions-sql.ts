/** The one statement of the portions: every guest of the range with what decides which plates they get. */
import sql, { empty, join, raw, type Sql } from 'sql-template-tag'
import type { CenterId } from '../centers/center.ts'
import { epochMs } from '../database/json-rows.ts'
import type { GuestFilters, GuestPosition } from '../guests/guests-sql.ts'
import { oneRow } from '../guests/one-row-sql.ts'
import type { Language } from '../locale/languages.ts'
import { termNames } from '../locale/term-names-sql.ts'
import { sessionStarts } from './meals-sql.ts'
import { lastOfSlice, revisionOf, sliceOf } from './slice-sql.ts'

/** What is read of each guest beside their stay. */
export interface PortionColumns {
  readonly language: Language
  /** the custom fields that are diets and may be shown */
  readonly diets: readonly { readonly field: string; readonly owner: 'customer' | 'booking' }[]
  readonly withNames: boolean
}

/**
 * The first 200 guests that the filters let through, with and without skipped meals.
 *
 * Callers may rely on: exactly one row comes, with the revision, the guests' rows as json (`PortionRow`), in no order,
 * and, where there may be more guests, the last of them. Customers are read only for what is shown of them. It leans on
 * the indexes of `matchedGuests` and on primary keys.
 * @param after only guests that follow this one
 */
export const selectPortions = (
  center: CenterId,
  filters: GuestFilters,
  columns: PortionColumns,
  after?: GuestPosition,
): Sql => sql`
    with ${sliceOf(center, filters, { after })}
    ${portionsOf(center, filters, columns)}`

/** The same of all guests in one row. */
export const selectAllPortions = (
  center: CenterId,
  filters: GuestFilters,
  columns: PortionColumns,
): Sql => sql`
    with ${sliceOf(center, filters)}
    ${portionsOf(center, filters, columns)}`

/** Of the guests in `slice`. */
const portionsOf = (
  center: CenterId,
  { sessionIds }: GuestFilters,
  { language, diets, withNames }: PortionColumns,
): Sql => sql`
    select
      ${revisionOf(center)} as revision,
      (
        select coalesce(
          json_agg(json_build_array(b.id, ${raw(epochMs('b.start_date'))}, ${raw(epochMs('b.end_date'))}, b.role,
            b.status, b.skipping_meals, b.program_id, ${nameOf('program', raw('b.program_id'), language)},
            ${ROOM}, ${nameOf('room', ROOM, language)},
            ${diets.length === 0 ? raw('null') : sql`json_build_array(${join(diets.map(dietValue), ', ')})`},
            ${sessionIds === undefined ? raw('null') : sessionStarts}${
              withNames ? raw(', c.first_name, c.last_name') : empty
            })),
          '[]'
        )
        from slice
        join lateral ${oneRow(sql`bookings where center_id = ${center} and id = slice.id`)} b on true
        ${
          withNames || diets.some(({ owner }) => owner === 'customer')
            ? sql`join lateral ${oneRow(sql`customers where center_id = b.center_id and id = b.customer_id`)} c on true`
            : empty
        }
      ) as guests,
      ${lastOfSlice} as last`

const ROOM = raw(`b.accommodation ->> 'roomId'`)

const dietValue = ({ field, owner }: PortionColumns['diets'][number]): Sql =>
  sql`${raw(owner === 'customer' ? 'c' : 'b')}.meta -> ${field}`

/** A term's name in the language asked for; null where no term has this identifier. */
const nameOf = (set: 'program' | 'room', id: Sql, language: Language): Sql => sql`(
              select coalesce(${termNames(language)}) from terms t
              where t.center_id = b.center_id and t.term_set = ${set} and t.id = ${id})`

/** Every column that the statement shows, as `table.column`. */
export const portionColumns = ({ diets, withNames }: PortionColumns): readonly string[] => [
  'bookings.skipping_meals',
  'bookings.program_id',
  'bookings.accommodation',
  'sessions.id',
  'sessions.start_date',
  ...(withNames ? ['bookings.customer_id', 'customers.first_name', 'customers.last_name'] : []),
  ...diets.flatMap(({ owner }) =>
    owner === 'booking' ? ['bookings.meta'] : ['bookings.customer_id', 'customers.meta'],
  ),
]
