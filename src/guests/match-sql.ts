/** The one statement of `GET /guests/match`. */
import sql, { raw, type Sql } from 'sql-template-tag'
import type { CenterId } from '../centers/center.ts'
import { epochMs } from '../database/json-rows.ts'
import type { Wanted } from './conditions-sql.ts'
import { type GuestFilters, matchedGuests } from './guests-sql.ts'
import { oneRow } from './one-row-sql.ts'

/** So many are compared at most: those of whom most is the same. */
export const CANDIDATES_MAX = 200

/**
 * Everybody of the range or session who may be the one that is wanted, and what of each is the same.
 *
 * Callers may rely on: one row, with the revision, the wanted name as it is compared, and at most one more than
 * `CANDIDATES_MAX` rows as json, in no order. Leans on the indexes of the list of guests, and on those of customers by
 * name, e-mail address, date of birth and personal number. What is not wanted is not read.
 */
export function selectCandidates(center: CenterId, filters: GuestFilters, wanted: Wanted): Sql {
  const { name, email, dob, pinHash } = wanted
  const same = (value: string | undefined, condition: Sql): Sql =>
    value === undefined ? sql`null::boolean` : condition
  return sql`
    select (select revision from center_revisions where center_id = ${center}) as revision,
      ${name === undefined ? sql`''` : soundsOf(sql`${name}::text`)} as wanted,
      (
        select coalesce(json_agg(json_build_array(f.id, f.booking_id, f.first_name, f.last_name, f.starts, f.ends, f.status,
          f.session_ids, f.sounds, f.same_email, f.dob, f.same_pin)), '[]')
        from (
          select b.id, b.booking_id, c.first_name, c.last_name, b.status, b.session_ids, b.start_date,
            ${raw(epochMs('b.start_date'))} as starts, ${raw(epochMs('b.end_date'))} as ends,
            ${soundsOf(sql`(c.first_name || ' ' || c.last_name)`)} as sounds,
            ${same(email, sql`lower(c.email collate "C") = lower(${email}::text collate "C")`)} as same_email,
            ${dob === undefined ? sql`null::date` : sql`c.dob`} as dob,
            ${same(pinHash, sql`pin_hash(c.pin) = ${pinHash}`)} as same_pin
          from (${matchedGuests(center, filters)}) m
          cross join lateral ${oneRow(sql`bookings where center_id = ${center} and id = m.id`)} b
          cross join lateral ${oneRow(sql`customers where center_id = ${center} and id = b.customer_id`)} c
          order by ${same(pinHash, sql`(pin_hash(c.pin) = ${pinHash}) is not true`)},
            ${same(email, sql`(lower(c.email collate "C") = lower(${email}::text collate "C")) is not true`)},
            ${same(dob, sql`(c.dob = ${dob}) is not true`)},
            ${same(name, sql`(name_keys(c.center_id, c.first_name, c.last_name) @@ name_query(${center}, ${name})) is not true`)},
            b.start_date, b.id
          limit ${CANDIDATES_MAX + 1}
        ) f
      ) as candidates`
}

/** A name as both sides of a comparison have it. */
const soundsOf = (name: Sql): Sql => sql`name_sounds(replace(name_letters(left(${name}, 200)), 'ph', 'f'))`
