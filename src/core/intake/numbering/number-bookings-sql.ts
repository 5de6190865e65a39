/** The statements of bulk numbering. */
import sql, { type Sql } from 'sql-template-tag'
import type { CenterId } from '../../records/centers/center.ts'

/** The centers that have a session of this identifier: asked by the operator of the service, who may see all of them. */
export function centersOfSession(session: string): Sql {
  return sql`select center_id from sessions where id = ${session} order by center_id limit 10`
}

/** Whether the center gives booking identifiers, and whether it has the session. */
export function selectNumbering(center: CenterId, session: string): Sql {
  return sql`
    select c.automatic_booking_ids as automatic, s.id is not null as found
    from centers c
    left join sessions s on s.center_id = c.center_id and s.id = ${session}
    where c.center_id = ${center}`
}

/**
 * The bookings whose main session this is and that have a number or should have one: given automatically
 * before, or arrived since without one. In the order of arrival: by the number they have, then by start. Locked, so that
 * an arrival at the same time comes before or after, and never between.
 */
export function lockNumbered(center: CenterId, session: string): Sql {
  return sql`
    select b.id, b.booking_id, b.booking_number
    from bookings b
    where b.center_id = ${center} and b.session_ids[1] = ${session}
      and b.id in (
        select bs.booking_id from booking_sessions bs
        where bs.center_id = ${center} and bs.session_id = ${session} and bs.position = 1
      )
      and (b.booking_number is not null or (b.booking_id is null and b.status in ('arrived', 'departed')))
    order by nullif(b.booking_number, 0) nulls last, b.start_date, b.id
    for update`
}

/**
 * The identifiers of these numbers in the center's pattern. `taken` is whether a booking outside of `ids` has it; `before` has
 * the digests of bookings that had it and do not any more.
 */
export function selectIdentifiers(
  center: CenterId,
  session: string,
  numbers: readonly number[],
  ids: readonly string[],
): Sql {
  return sql`
    select n as number, given.id as given, exists (
      select 1 from bookings b
      where b.center_id = c.center_id and b.booking_id = given.id and b.id <> all(${ids})
    ) as taken, array(
      select encode(f.booking, 'hex') from booking_ids_of_before f
      where f.center_id = c.center_id and f.booking_id = text_digest(given.id)
    ) as before
    from centers c
    join sessions s on s.center_id = c.center_id and s.id = ${session}
    cross join unnest(${numbers}::int[]) n
    cross join lateral (select booking_id_text(c, s, n) as id) given
    where c.center_id = ${center}
    order by n`
}

/** Locks what every commit locks first (`give_booking_id`), so that an arrival at the same time comes before or after. */
export const lockRevision = (center: CenterId): Sql =>
  sql`select 1 from center_revisions where center_id = ${center} for update`

/** The last number that the session has given, even if its booking is no longer there. Locks the counter. */
export function lockCounter(center: CenterId, session: string): Sql {
  return sql`
    insert into booking_counters as c (center_id, session_id, last_number) values (${center}, ${session}, 0)
    on conflict (center_id, session_id) do update set last_number = c.last_number
    returning last_number as last`
}

/**
 * Takes the numbers away before new ones are given: an identifier that changes while its number does not is
 * otherwise one that a person has set.
 */
export function clearNumbers(center: CenterId, ids: readonly string[]): Sql {
  return sql`
    update bookings set booking_id = null, booking_number = null
    where center_id = ${center} and id = any(${ids}) and booking_number is not null`
}

export function updateNumbers(
  center: CenterId,
  numbers: { ids: readonly string[]; identifiers: readonly string[]; numbers: readonly number[] },
): Sql {
  return sql`
    update bookings b set booking_id = given.identifier, booking_number = given.number
    from unnest(${numbers.ids}::text[], ${numbers.identifiers}::text[], ${numbers.numbers}::int[])
      as given (id, identifier, number)
    where b.center_id = ${center} and b.id = given.id`
}

/** The next arrival goes on after the last number. */
export function setCounter(center: CenterId, session: string, last: number): Sql {
  return sql`
    update booking_counters set last_number = greatest(last_number, ${last})
    where center_id = ${center} and session_id = ${session}`
}
