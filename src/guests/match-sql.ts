/** The one statement of `GET /guests/match`. */
import sql, { join, raw, type Sql } from 'sql-template-tag'
import type { CenterId } from '../centers/center.ts'
import { epochMs } from '../database/json-rows.ts'
import { type GuestFilters, matchedGuests } from './guests-sql.ts'
import type { Wanted } from './match-likeness.ts'
import { oneRow } from './one-row-sql.ts'
import { exactFirst, hasEmail, soundsOf } from './wanted-sql.ts'

/** So many are compared at most: those of whom most is the same. */
export const CANDIDATES_MAX = 200

/**
 * Everybody of the range or session who may be the one that is wanted, and what of each is the same.
 *
 * Callers may rely on: one row, with the revision, the wanted name as it is compared, and at most one more than
 * `CANDIDATES_MAX` rows as json, in no order. Leans on the indexes of the list of guests, and on those of customers by
 * name, e-mail address, date of birth and personal number. What is not wanted is not read, and bookings and customers are
 * read for those alone who are compared.
 */
export function selectCandidates(center: CenterId, filters: GuestFilters, wanted: Wanted): Sql {
  const { name, email, dob, pinHash } = wanted
  const { sets, order } = exactFirst(wanted, center, sql`m.customer_id`)
  return sql`
    ${sets}
    select (select revision from center_revisions where center_id = ${center}) as revision,
      ${name === undefined ? sql`''` : soundsOf(sql`${name}::text`)} as wanted,
      (
        select coalesce(json_agg(json_build_array(b.id, b.booking_id, c.first_name, c.last_name,
          ${raw(epochMs('b.start_date'))}, ${raw(epochMs('b.end_date'))}, b.status, b.session_ids,
          ${soundsOf(sql`(c.first_name || ' ' || c.last_name)`)},
          ${email === undefined ? sql`null::boolean` : hasEmail(email)},
          ${dob === undefined ? sql`null::date` : sql`c.dob`},
          ${pinHash === undefined ? sql`null::boolean` : sql`pin_hash(c.pin) = ${pinHash}`})), '[]')
        from (
          select m.id, m.customer_id
          from (${matchedGuests(center, filters)}) m
          order by ${join([...order, sql`m.start_date, m.id`], ', ')}
          limit ${CANDIDATES_MAX + 1}
        ) f
        cross join lateral ${oneRow(sql`bookings where center_id = ${center} and id = f.id`)} b
        cross join lateral ${oneRow(sql`customers where center_id = ${center} and id = f.customer_id`)} c
      ) as candidates`
}
