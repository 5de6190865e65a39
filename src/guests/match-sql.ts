/** The statement of `GET /guests/match`. */
import sql, { empty, join, raw, type Sql } from 'sql-template-tag'
import type { CenterId } from '../centers/center.ts'
import { epochMs } from '../database/json-rows.ts'
import { type GuestFilters, matchedGuests } from './guests-sql.ts'
import type { Wanted } from './match-likeness.ts'
import { oneRow } from './one-row-sql.ts'
import { anyOf, type ExactFirst, exactFirst, hasEmail, soundsOf } from './wanted-sql.ts'

/** So many are compared at most: those of whom most is the same. */
export const CANDIDATES_MAX = 200

/**
 * The stays of so many customers are read in the first part, which mostly has all that are compared: they take the embedded
 * database some milliseconds. Each part finds the names anew, which takes as long as the stays of some thousands.
 */
const CUSTOMERS = { first: 1000, next: 4000 }

/** Where a customer stands: for each value that is wanted whether it is another one, and the identifier. */
export type WantedPosition = readonly [...others: boolean[], id: string]

/** A part of the customers who may be meant. */
export interface WantedPart {
  /** those that follow it; undefined: the first ones */
  readonly after: WantedPosition | undefined
  /** so many guests at most */
  readonly limit: number
}

/**
 * Everybody of the range or session who may be the one that is wanted, and what of each is the same.
 *
 * Callers may rely on: one row, with the revision, the wanted name as it is compared, at most `limit` guests as json, in
 * no order, and the last customer of the part, where there may be more. Customers stand by what is the same, then by
 * identifier, and their guests by start. So the parts together have the guests that all customers at once have. Where the
 * name is nearly that of 16,000, the stays of all of them took the embedded database most of 0.6 s; those of the first
 * thousand mostly have all the guests that are compared.
 *
 * Leans on the indexes of the list of guests, and on those of customers by name, e-mail address, date of birth and
 * personal number. What is not wanted is not read, and bookings and customers are read for those alone who are compared.
 *
 * @param part undefined: all customers at once
 */
export function selectCandidates(
  center: CenterId,
  filters: GuestFilters,
  wanted: Wanted,
  part: WantedPart | undefined,
): Sql {
  const { name, email, dob, pinHash } = wanted
  const { sets, others } = exactFirst(wanted, center)
  const found = anyOf(wanted, center)
  const ends = part === undefined ? [sql`wanted as materialized (${found})`] : partOf(found, others, part)
  return sql`
    with ${join([...sets, ...ends], ', ')}
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
          order by ${join([...others(sql`m.customer_id`), sql`m.customer_id, m.start_date, m.id`], ', ')}
          limit ${part?.limit ?? CANDIDATES_MAX + 1}
        ) f
        cross join lateral ${oneRow(sql`bookings where center_id = ${center} and id = f.id`)} b
        cross join lateral ${oneRow(sql`customers where center_id = ${center} and id = f.customer_id`)} c
      ) as candidates,
      ${part === undefined ? sql`null` : lastOf(others, part)} as last`
}

const namesOf = (others: ExactFirst['others']): Sql =>
  raw([...others(empty).map((_, at) => `other_${at}`), 'id'].join(', '))

/** The sets that end with `wanted`. What is not in the part is not put together either, which costs as much as finding it. */
function partOf(found: Sql, others: ExactFirst['others'], part: WantedPart): Sql[] {
  const judged = others(sql`f.id`).map((other, at) => sql`${other} as ${raw(`other_${at}`)}`)
  const position = namesOf(others)
  // Whoever has several of the values is found by each.
  const each = raw(judged.length > 1 ? '(select distinct id from found)' : 'found')
  return [
    sql`found as materialized (${found})`,
    sql`wanted as materialized (
      select ${position} from (select f.id, ${join(judged, ', ')} from ${each} f) judged
      ${part.after === undefined ? empty : sql`where (${position}) > (${valuesOf(part.after)})`}
      order by ${position} limit ${customersOf(part)}
    )`,
  ]
}

const customersOf = ({ after }: WantedPart) => (after === undefined ? CUSTOMERS.first : CUSTOMERS.next)

const lastOf = (others: ExactFirst['others'], part: WantedPart): Sql => sql`(
        select json_build_array(${namesOf(others)}) from wanted
        order by ${namesOf(others)} offset ${customersOf(part) - 1} limit 1
      )`

const valuesOf = (position: WantedPosition): Sql =>
  join(
    position.map((value) => (typeof value === 'boolean' ? sql`${value}::boolean` : sql`${value}`)),
    ', ',
  )
