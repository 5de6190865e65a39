/** The orders of a list of guests. */
import sql, { empty, join, raw, type Sql } from 'sql-template-tag'
import { accommodationRoom } from '../../records/fields/accommodation-fields.ts'
import { bookingProgram } from '../../records/fields/booking-fields.ts'
import { columnsRead, type Stored } from '../../records/fields/source.ts'
import type { TermKind } from '../../records/fields/value-kinds.ts'
import type { SortKey } from '../../request/sort.ts'
import { type ColumnInputs, nameOrIdOf } from './guest-columns-sql.ts'
import { oneRow } from './one-row-sql.ts'

interface SortBy {
  /** as `table.column` */
  readonly columns: readonly string[]
  /** the rows that the value is read from, in addition to the match: its booking `b`, its customer `c` */
  readonly from?: 'b' | 'c'
  /** an expression over these and the match `m`, which has the columns next to sessions */
  readonly value: (inputs: ColumnInputs) => Sql
}

const from = (alias: 'm' | 'b' | 'c') => (alias === 'm' ? {} : { from: alias })

/** @param value independent of the database's own locale */
const ofBooking = (column: string, alias: 'm' | 'b', value: string): SortBy => ({
  columns: [`bookings.${column}`],
  ...from(alias),
  value: () => raw(value),
})
const ofCustomer = (columns: readonly string[], value: string): SortBy => ({
  columns: ['bookings.customer_id', ...columns.map((column) => `customers.${column}`)],
  ...from('c'),
  value: () => raw(value),
})
/** Of a person with a single name, both sort by it (ruling 42). */
const ofName = (column: string, other: string) =>
  ofCustomer([column, other], `name_letters(coalesce(c.${column}, c.${other})) collate "C"`)

/**
 * By the name that is shown, as people order names with numbers: 2 before 10. Each number has at least twenty digits then,
 * and letters have neither case nor diacritics.
 */
const ofTerm = (stored: Stored<string | null, TermKind>): SortBy => ({
  columns: columnsRead(stored),
  ...from('b'),
  value: (inputs) => sql`(
      select string_agg(
        case when part.found[1] ~ '^[0-9]' then lpad(part.found[1], greatest(length(part.found[1]), 20), '0')
          else part.found[1] end, '' order by part.position)
      from regexp_matches(name_letters(${nameOrIdOf(stored, inputs)}), '[0-9]+|[^0-9]+', 'g')
        with ordinality as part (found, position)
    ) collate "C"`,
})

/** By name of the field. */
const SORTED_BY = {
  startDate: ofBooking('start_date', 'm', 'm.start_date'),
  endDate: ofBooking('end_date', 'm', 'm.end_date'),
  bookedAt: ofBooking('booked_at', 'b', 'b.booked_at'),
  bookingId: ofBooking('booking_id', 'b', 'b.booking_id collate "C"'),
  // Without regard to case and diacritics, as people look for names.
  lastName: ofName('last_name', 'first_name'),
  firstName: ofName('first_name', 'last_name'),
  status: ofBooking('status', 'm', 'm.status collate "C"'),
  role: ofBooking('role', 'm', 'm.role collate "C"'),
  programId: ofTerm(bookingProgram),
  'acc.roomId': ofTerm(accommodationRoom),
  dob: ofCustomer(['dob'], 'c.dob'),
} as const satisfies Readonly<Record<string, SortBy>>

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
export function sorted(inputs: ColumnInputs, matched: Sql, sort: GuestSort): Sql {
  const { center } = inputs
  const keys: readonly SortBy[] = sort.map(({ by }) => SORTED_BY[by])
  const needs = (alias: 'b' | 'c') => keys.some((key) => key.from === alias)
  const values = keys.map((key, at) => sql`${key.value(inputs)} as ${raw(`sort_${at}`)}`)
  return sql`
    select m.id, m.start_date, ${join(values, ', ')}
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
