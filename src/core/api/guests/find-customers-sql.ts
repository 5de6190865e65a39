/** Finds customers by other values than their identifier. */
import sql, { empty, join, raw, type Sql } from 'sql-template-tag'
import { epochMs } from '../../database/json-rows.ts'
import type { CenterId } from '../../records/centers/center.ts'
import type { Wanted } from './match-likeness.ts'
import { anyOf, exactFirst, hasEmail, readingsAsked, readingsOf } from './person-query-sql.ts'

export interface FoundRow {
  readonly id: string
  readonly first_name: string | null
  readonly last_name: string | null
  /** YYYY-MM-DD */
  readonly dob: string | null
  /** of the requested name and of the customer's; null if no name is requested */
  readonly wanted: readonly string[] | null
  readonly readings: readonly string[] | null
  readonly same_email: boolean | null
  readonly stays: readonly {
    readonly id: string
    readonly booking_id: string | null
    readonly starts: number
    readonly ends: number
    readonly status: string
  }[]
}

/** Customers have few stays. Of one with more, the newest are read. */
const STAYS_MAX = 100

/**
 * Customers who may be the requested one, with the best matches first, and their stays, newest first. Uses the indexes
 * of customers by name, e-mail address and date of birth, and `bookings_by_customer`.
 */
export function selectPossible(center: CenterId, wanted: Wanted, limit: number): Sql {
  const { name, email } = wanted
  const { sets, others } = exactFirst(wanted, center)
  return sql`
  ${sets.length === 0 ? empty : sql`with ${join(sets, ', ')}`}
  select c.id, c.first_name, c.last_name, to_char(c.dob, 'YYYY-MM-DD') as dob,
    ${readingsAsked(name)} as wanted, to_json(${readingsOf(name)}) as readings,
    ${email === undefined ? sql`null::boolean` : hasEmail(email)} as same_email,
    (
      select coalesce(json_agg(json_build_object('id', s.id, 'booking_id', s.booking_id, 'starts', s.starts,
        'ends', s.ends, 'status', s.status)), '[]')
      from (
        select b.id, b.booking_id, b.status, ${raw(epochMs('b.start_date'))} as starts, ${raw(epochMs('b.end_date'))} as ends
        from bookings b
        where b.center_id = ${center} and b.customer_id = c.id
        order by b.start_date desc, b.id
        limit ${STAYS_MAX}
      ) s
    ) as stays
  from customers c
  where c.center_id = ${center} and c.id in (with found as materialized (${anyOf(wanted, center)}) select id from found)
  order by ${join([...others(sql`c.id`), sql`c.id`], ', ')}
  limit ${limit}`
}
