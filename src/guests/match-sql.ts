/** The one statement of `GET /guests/match`. */
import sql, { empty, join, raw, type Sql } from 'sql-template-tag'
import type { CenterId } from '../centers/center.ts'
import { epochMs } from '../database/json-rows.ts'
import { named } from './conditions-sql.ts'
import { type GuestFilters, matchedGuests } from './guests-sql.ts'
import type { Wanted } from './match-likeness.ts'
import { oneRow } from './one-row-sql.ts'

/** So many are compared at most: those of whom most is the same. */
export const CANDIDATES_MAX = 200

/**
 * Everybody of the range or session who may be the one that is wanted, and what of each is the same.
 *
 * Callers may rely on: one row, with the revision, the wanted name as it is compared, and at most one more than
 * `CANDIDATES_MAX` rows as json, in no order. Leans on the indexes of the list of guests, and on those of customers by
 * name, e-mail address, date of birth and personal number. What is not wanted is not read.
 *
 * Who has the very value is found along those indexes, and customers are read for those alone who are compared: folding
 * the names of 16,000 guests that have nearly the wanted one, to put them in order, took the embedded database six seconds,
 * in which it did nothing else.
 */
export function selectCandidates(center: CenterId, filters: GuestFilters, wanted: Wanted): Sql {
  const { name, email, dob, pinHash } = wanted
  const same = (value: string | undefined, condition: Sql): Sql =>
    value === undefined ? sql`null::boolean` : condition
  const sets = exactly(wanted, center)
  const withThem = ({ set, ids }: Exact) => sql`${raw(set)} as materialized (${ids})`
  const order = [
    ...sets.map(({ set }) => sql`(m.customer_id in (select id from ${raw(set)})) is not true`),
    sql`m.start_date, m.id`,
  ]
  return sql`
    ${sets.length === 0 ? empty : sql`with ${join(sets.map(withThem), ', ')}`}
    select (select revision from center_revisions where center_id = ${center}) as revision,
      ${name === undefined ? sql`''` : soundsOf(sql`${name}::text`)} as wanted,
      (
        select coalesce(json_agg(json_build_array(b.id, b.booking_id, c.first_name, c.last_name,
          ${raw(epochMs('b.start_date'))}, ${raw(epochMs('b.end_date'))}, b.status, b.session_ids,
          ${soundsOf(sql`(c.first_name || ' ' || c.last_name)`)},
          ${same(email, sql`lower(c.email collate "C") = lower(${email}::text collate "C")`)},
          ${dob === undefined ? sql`null::date` : sql`c.dob`},
          ${same(pinHash, sql`pin_hash(c.pin) = ${pinHash}`)})), '[]')
        from (
          select m.id, m.customer_id
          from (${matchedGuests(center, filters)}) m
          order by ${join(order, ', ')}
          limit ${CANDIDATES_MAX + 1}
        ) f
        cross join lateral ${oneRow(sql`bookings where center_id = ${center} and id = f.id`)} b
        cross join lateral ${oneRow(sql`customers where center_id = ${center} and id = f.customer_id`)} c
      ) as candidates`
}

/** The customers that have one value that is wanted: they come first where there are more than are compared. */
interface Exact {
  readonly set: string
  readonly ids: Sql
}

/** The one that says most first. */
function exactly({ name, email, dob, pinHash }: Wanted, center: CenterId): readonly Exact[] {
  const exact = (set: string, value: string | undefined, ids: Sql): Exact[] =>
    value === undefined ? [] : [{ set, ids }]
  const having = (condition: Sql) =>
    sql`select c.id from customers c where c.center_id = ${center} and ${condition}`
  return [
    ...exact('same_pin', pinHash, having(sql`pin_hash(c.pin) = ${pinHash}`)),
    ...exact(
      'same_email',
      email,
      having(sql`lower(c.email collate "C") = lower(${email}::text collate "C")`),
    ),
    ...exact('same_dob', dob, having(sql`c.dob = ${dob}`)),
    ...exact('same_name', name, named(sql`name_query(${center}, ${name})`, center)),
  ]
}

/** A name as both sides of a comparison have it. */
export const soundsOf = (name: Sql): Sql =>
  sql`name_sounds(replace(name_letters(left(${name}, 200)), 'ph', 'f'))`
