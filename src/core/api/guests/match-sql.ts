/** The statements of `GET /guests/match`. */
import sql, { empty, join, raw, type Sql } from 'sql-template-tag'
import { epochMs } from '../../database/json-rows.ts'
import type { CenterId } from '../../records/centers/center.ts'
import { type GuestFilters, matchedGuests } from './guests-sql.ts'
import type { Wanted } from './match-likeness.ts'
import { oneRow } from './one-row-sql.ts'
import {
  anyOf,
  type ExactFirst,
  exactFirst,
  hasEmail,
  readingsAsked,
  readingsOf,
} from './person-query-sql.ts'

/** The most customers that are compared: those with the best matches. */
export const CANDIDATES_MAX = 200

/**
 * The first part reads the stays of this many customers, and usually contains all that are compared; that takes
 * some milliseconds. Each part finds the names again, which takes as long as the stays of some
 * thousand customers.
 */
const CUSTOMERS = { first: 1000, next: 4000 }

/** A customer's position: for each requested value whether it differs, and the identifier. */
export type WantedPosition = readonly [...others: boolean[], id: string]

/** A part of the possible customers. */
export interface WantedPart {
  /** only customers after this one; undefined: from the beginning */
  readonly after: WantedPosition | undefined
}

/**
 * The customers of a part who may be the requested one, in the order in which their guests are compared: by the values that
 * agree, then by identifier. Callers may rely on: one row, in the form of `selectCandidates`, without guests, with the
 * customers' identifiers and the last one's position, if there may be more.
 *
 * Names are found here and guests in the next statement. Together they took 70 ms of CPU where 16,000 names are
 * similar; now the longer one takes 35. Uses the indexes of customers.
 */
export function selectWanted(center: CenterId, wanted: Wanted, part: WantedPart): Sql {
  const { sets, others } = exactFirst(wanted, center)
  return sql`
    with ${join([...sets, ...partOf(anyOf(wanted, center), others, part)], ', ')}
    select ${factsOf(center, wanted)}, '[]'::json as candidates,
      (
        select json_build_array(${namesOf(others)}) from wanted
        order by ${namesOf(others)} offset ${customersOf(part) - 1} limit 1
      ) as last,
      (select coalesce(json_agg(id order by ${namesOf(others)}), '[]') from wanted) as customers`
}

/**
 * The guests of these customers, as in `selectCandidates`: at most `limit`, in the order of the customers and then by start.
 * @param customers of `selectWanted`
 */
export const selectGuestsOf = (
  center: CenterId,
  filters: GuestFilters,
  wanted: Wanted,
  customers: readonly string[],
  limit: number,
): Sql =>
  // As JSON, of which PostgreSQL expects a hundred: with the length of an array it would read all bookings of the center.
  selectThose(
    center,
    wanted,
    [
      sql`wanted as materialized (
      select id, at from json_array_elements_text(${JSON.stringify(customers)}::json) with ordinality each (id, at)
    )`,
    ],
    sql`select m.id, m.customer_id
          from (${matchedGuests(center, filters)}) m
          join wanted on wanted.id = m.customer_id
          order by wanted.at, m.start_date, m.id
          limit ${limit}`,
  )

/**
 * All guests of the range or session who may be the requested one, and which values agree. Callers may rely on: one
 * row, with the revision, the readings of the requested name, and at most one guest more than are compared as JSON, in no
 * order.
 *
 * Customers are ordered by the values that agree, then by identifier, and their guests by start. So the parts of
 * `selectWanted` together contain the same guests as this statement. If 16,000 names are similar, reading the stays of all of
 * them took most of 0.6 s; those of the first thousand usually contain all the guests that are
 * compared.
 *
 * Uses the indexes of the list of guests, and those of customers by name, e-mail address, date of birth and personal
 * number. Values that are not requested are not read, and bookings and customers are read only for the guests that are
 * compared.
 */
export function selectCandidates(center: CenterId, filters: GuestFilters, wanted: Wanted): Sql {
  const { sets, others } = exactFirst(wanted, center)
  return selectThose(
    center,
    wanted,
    [...sets, sql`wanted as materialized (${anyOf(wanted, center)})`],
    sql`select m.id, m.customer_id
          from (${matchedGuests(center, filters)}) m
          order by ${join([...others(sql`m.customer_id`), sql`m.customer_id, m.start_date, m.id`], ', ')}
          limit ${CANDIDATES_MAX + 1}`,
  )
}

const factsOf = (center: CenterId, { name }: Wanted): Sql => sql`
      (select revision from center_revisions where center_id = ${center}) as revision,
      ${readingsAsked(name)} as wanted`

/** @param guests selects `id` and `customer_id` of those that are compared, from the sets */
const selectThose = (center: CenterId, wanted: Wanted, sets: readonly Sql[], guests: Sql): Sql => {
  const { name, email, dob, pinHash } = wanted
  return sql`
    with ${join([...sets], ', ')}
    select ${factsOf(center, wanted)},
      (
        select coalesce(json_agg(json_build_array(b.id, b.booking_id, c.first_name, c.last_name,
          ${raw(epochMs('b.start_date'))}, ${raw(epochMs('b.end_date'))}, b.status, b.session_ids,
          ${readingsOf(name)},
          ${email === undefined ? sql`null::boolean` : hasEmail(email)},
          ${dob === undefined ? sql`null::date` : sql`c.dob`},
          ${pinHash === undefined ? sql`null::boolean` : sql`pin_hash(c.pin) = ${pinHash}`})), '[]')
        from (
          ${guests}
        ) f
        cross join lateral ${oneRow(sql`bookings where center_id = ${center} and id = f.id`)} b
        cross join lateral ${oneRow(sql`customers where center_id = ${center} and id = f.customer_id`)} c
      ) as candidates,
      null as last,
      null as customers`
}

const namesOf = (others: ExactFirst['others']): Sql =>
  raw([...others(empty).map((_, at) => `other_${at}`), 'id'].join(', '))

/**
 * The sets that end with `wanted`. Only for a part, because forming the sets costs as much as the search for the customers.
 */
function partOf(found: Sql, others: ExactFirst['others'], part: WantedPart): Sql[] {
  const judged = others(sql`f.id`).map((other, at) => sql`${other} as ${raw(`other_${at}`)}`)
  const position = namesOf(others)
  // A customer who has several of the values is found by each of them.
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

const valuesOf = (position: WantedPosition): Sql =>
  join(
    position.map((value) => (typeof value === 'boolean' ? sql`${value}::boolean` : sql`${value}`)),
    ', ',
  )
