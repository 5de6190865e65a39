/** In which room a guest is on a day, and the nights of stays with their rooms. */
import sql, { type Sql } from 'sql-template-tag'
import { aroundDays, type Days, localTime } from '../locale/local-time-sql.ts'

/**
 * The accommodation of booking `b` on a local day, as JSON: the segment of the day where the stay is in several rooms
 * (`segment_on` in migrations/0043-rooms.sql), otherwise that of the booking. A stay without segments does not compute the
 * day. @param day `YYYY-MM-DD` as text
 */
export const accommodationOn = (day: Sql): Sql =>
  sql`case when b.acc_segments is null then b.accommodation
        else coalesce(segment_on(b.acc_segments, ${day}), b.accommodation) end`

/** The room of booking `b` on a local day; null if it is not known. @param day as in `accommodationOn` */
export const roomOn = (day: Sql): Sql => sql`(${accommodationOn(day)} ->> 'roomId')`

/**
 * Every night of these bookings: `booking_id`, `night` (the local day on which it begins, as text) and `room_id` (null if
 * the room is not known). The night of the day of departure is not one of them, so a day visitor has none. Callers may rely
 * on: each night of a booking is one row, in no order.
 * @param bookings rows with the columns of `bookings` of one center, of active bookings only (ruling 50)
 * @param nights only nights from the first to the last, both included; they bound how many rows a long stay has
 */
export const nightsOf = (bookings: Sql, zone: string, nights: Days): Sql => {
  const localDayOf = (moment: Sql) => sql`${localTime(moment, zone, aroundDays(zone, nights))}::date`
  return sql`
    select b.id as booking_id, n.night, ${roomOn(sql`n.night`)} as room_id
    from (${bookings}) b
    cross join lateral (
      select to_char(day, 'YYYY-MM-DD') as night
      from generate_series(
        greatest(${localDayOf(sql`b.start_date`)}, ${nights.first}::date)::timestamp,
        least(${localDayOf(sql`b.end_date`)} - 1, ${nights.last}::date)::timestamp,
        interval '1 day') as day
    ) n`
}
