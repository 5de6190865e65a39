/** The orders of a list of guests. */
import sql, { empty, join, raw, type Sql } from 'sql-template-tag'
import type { CenterId } from '../../records/centers/center.ts'
import type { SortKey } from '../../request/sort.ts'
import { oneRow } from './one-row-sql.ts'

interface SortBy {
  /** as `table.column` */
  readonly columns: readonly string[]
  /**
   * an expression over the match `m`, which has the columns next to sessions, its booking `b` and its customer `c`;
   * independent of the database's own locale
   */
  readonly value: string
}

const ofBooking = (column: string, value: string): SortBy => ({ columns: [`bookings.${column}`], value })
const ofCustomer = (columns: readonly string[], value: string): SortBy => ({
  columns: ['bookings.customer_id', ...columns.map((column) => `customers.${column}`)],
  value,
})
/** Of a person with a single name, both sort by it (ruling 42). */
const ofName = (column: string, other: string) =>
  ofCustomer([column, other], `name_letters(coalesce(c.${column}, c.${other})) collate "C"`)

/** By name of the field. */
const SORTED_BY = {
  startDate: ofBooking('start_date', 'm.start_date'),
  endDate: ofBooking('end_date', 'm.end_date'),
  bookedAt: ofBooking('booked_at', 'b.booked_at'),
  bookingId: ofBooking('booking_id', 'b.booking_id collate "C"'),
  // Without regard to case and diacritics, as people look for names.
  lastName: ofName('last_name', 'first_name'),
  firstName: ofName('first_name', 'last_name'),
  status: ofBooking('status', 'm.status collate "C"'),
  role: ofBooking('role', 'm.role collate "C"'),
  dob: ofCustomer(['dob'], 'c.dob'),
} as const

/** The columns that sorting needs of each match, in addition to its identifier and start. */
export const MATCHED_FOR_SORT = ['customer_id', 'end_date', 'status', 'role'] as const

export type SortName = keyof typeof SORTED_BY
export type GuestSort = readonly SortKey<SortName>[]

// The type of an object literal has exactly its keys.
export const SORT_NAMES = Object.keys(SORTED_BY) as SortName[]

export const sortColumns = (sort: GuestSort): readonly string[] =>
  sort.flatMap(({ by }) => SORTED_BY[by].columns)

/**
 * The matched guests with their sort values, as `sort_0`, `sort_1` … @param matched selects `id`, `start_date` and
 * `MATCHED_FOR_SORT` of each
 */
export function sorted(center: CenterId, matched: Sql, sort: GuestSort): Sql {
  const values = sort.map(({ by }) => SORTED_BY[by].value)
  const needs = (alias: string) => values.some((value) => value.includes(`${alias}.`))
  return sql`
    select m.id, m.start_date, ${raw(values.map((value, at) => `${value} as sort_${at}`).join(', '))}
    from (${matched}) m
    ${needs('b') ? sql`cross join lateral ${oneRow(sql`bookings where center_id = ${center} and id = m.id`)} b` : empty}
    ${needs('c') ? sql`cross join lateral ${oneRow(sql`customers where center_id = ${center} and id = m.customer_id`)} c` : empty}`
}

/**
 * The order of the rows of an alias. Rows with equal values are ordered by ruling 18 (`inOrder`), so that pages never repeat
 * or skip rows. Missing values come last in both directions.
 */
export const sortedOrder = (alias: string, sort: GuestSort, inOrder: Sql): Sql =>
  join(
    [
      ...sort.map(({ descending }, at) => raw(`${alias}.sort_${at}${descending ? ' desc nulls last' : ''}`)),
      inOrder,
    ],
    ', ',
  )
