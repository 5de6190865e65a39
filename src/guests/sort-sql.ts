/** The orders in which a list of guests can stand. */
import sql, { empty, join, raw, type Sql } from 'sql-template-tag'
import type { CenterId } from '../centers/center.ts'
import type { SortKey } from '../request/sort.ts'
import { oneRow } from './one-row-sql.ts'

interface SortBy {
  /** as `table.column` */
  readonly columns: readonly string[]
  /**
   * over the match `m`, which has what of a booking stands beside its sessions too, its booking `b` and its customer `c`;
   * the same whatever the database's own language is
   */
  readonly value: string
}

const ofBooking = (column: string, value: string): SortBy => ({ columns: [`bookings.${column}`], value })
const ofCustomer = (column: string, value: string): SortBy => ({
  columns: ['bookings.customer_id', `customers.${column}`],
  value,
})

/** By the name of the field. */
const SORTED_BY = {
  startDate: ofBooking('start_date', 'm.start_date'),
  endDate: ofBooking('end_date', 'm.end_date'),
  bookedAt: ofBooking('booked_at', 'b.booked_at'),
  bookingId: ofBooking('booking_id', 'b.booking_id collate "C"'),
  // As somebody finds a name in a list: without regard to case and marks.
  lastName: ofCustomer('last_name', 'name_letters(c.last_name) collate "C"'),
  firstName: ofCustomer('first_name', 'name_letters(c.first_name) collate "C"'),
  status: ofBooking('status', 'm.status collate "C"'),
  role: ofBooking('role', 'm.role collate "C"'),
  dob: ofCustomer('dob', 'c.dob'),
} as const

/** What sorting needs of each match, beside its identifier and start. */
export const MATCHED_FOR_SORT = ['customer_id', 'end_date', 'status', 'role'] as const

export type SortName = keyof typeof SORTED_BY
export type GuestSort = readonly SortKey<SortName>[]

// The keys of an object that is written down here are the keys of its type.
export const SORT_NAMES = Object.keys(SORTED_BY) as SortName[]

export const sortColumns = (sort: GuestSort = []): readonly string[] =>
  sort.flatMap(({ by }) => SORTED_BY[by].columns)

/**
 * The matched guests with what they are sorted by, as `sort_0`, `sort_1` …
 * @param matched selects `id`, `start_date` and `MATCHED_FOR_SORT` of each
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
 * The order of the rows of an alias. Where what they are sorted by is the same, ruling 18's order decides, so pages
 * never repeat or skip; what has no value comes last either way.
 */
export const orderOf = (alias: string, sort: GuestSort = []): Sql =>
  join(
    [
      ...sort.map(({ descending }, at) => `${alias}.sort_${at}${descending ? ' desc nulls last' : ''}`),
      `${alias}.start_date`,
      `${alias}.id`,
    ].map(raw),
    ', ',
  )
