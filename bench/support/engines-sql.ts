/** One page of a session's guests with the total, as requested from the engines that Sojourn is compared with. */
import { raw } from 'sql-template-tag'

export const POSTGREST_SCHEMA = 'bench_postgrest'

/**
 * The view that PostgREST serves, optimized for speed: left joins by primary keys cost nothing if none of their columns
 * is selected, so counting reads only the index, and the index that finds a session also gives the order.
 */
export const postgrestView = [
  raw(`create schema if not exists ${POSTGREST_SCHEMA}`),
  raw(`create or replace view ${POSTGREST_SCHEMA}.guests as
    select bs.center_id, bs.session_id, bs.booking_id as id, c.first_name, c.last_name, c.email,
      bs.start_date, b.end_date, b.status, b.role, b.skipping_meals, b.session_ids
    from booking_sessions bs
    left join bookings b on b.center_id = bs.center_id and b.id = bs.booking_id
    left join customers c on c.center_id = b.center_id and c.id = b.customer_id`),
]

/** The header `Prefer: count=exact` requests the total. */
export const postgrestPath = (center: string, session: number, length: number): string =>
  `/guests?center_id=eq.${center}&session_id=eq.${session}&limit=${length}&order=start_date,id` +
  '&select=id,first_name,last_name,email,start_date,end_date,status,role,skipping_meals,session_ids'

/**
 * The `pgbench` script of the plain statement: rows and columns without formatting, for a random session of a center.
 */
export const plainScript = (center: string, sessions: number, length: number): string =>
  `\\set s random(0, ${sessions - 1})\n${`
    select (select count(*) from booking_sessions where center_id = '${center}' and session_id = :s::text) as total,
      b.id, c.first_name, c.last_name, c.email, b.start_date, b.end_date, b.status, b.role, b.skipping_meals,
      b.session_ids
    from (
      select booking_id, start_date from booking_sessions
      where center_id = '${center}' and session_id = :s::text
      order by start_date, booking_id limit ${length}
    ) page
    join bookings b on b.center_id = '${center}' and b.id = page.booking_id
    join customers c on c.center_id = '${center}' and c.id = b.customer_id
    order by page.start_date, page.booking_id;`.replaceAll(/\s+/g, ' ')}\n`
