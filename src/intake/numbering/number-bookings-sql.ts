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

/** The identifiers 1 to `count` of a session in the center's pattern, with whether a person has given each by hand. */
export function selectIdentifiers(center: CenterId, session: string, count: number): Sql {
  return sql`
    select n as number, given.id as given, exists (
      select 1 from bookings b
      where b.center_id = c.center_id and b.booking_id = given.id and b.booking_number is null
    ) as taken
    from centers c
    join sessions s on s.center_id = c.center_id and s.id = ${session}
    cross join generate_series(1, ${count}::int) n
    cross join lateral (select booking_id_text(c, s, n) as id) given
    where c.center_id = ${center}
    order by n`
}

/** How many bookings of the center have an identifier that was set by hand: at most so many numbers are taken. */
export function countByHand(center: CenterId): Sql {
  return sql`
    select count(*) as count from bookings b
    where b.center_id = ${center} and b.booking_id is not null and b.booking_number is null`
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
    insert into booking_counters (center_id, session_id, last_number) values (${center}, ${session}, ${last})
    on conflict (center_id, session_id) do update set last_number = excluded.last_number`
}
