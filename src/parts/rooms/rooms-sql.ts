/** The statements of `GET /rooms`. */
import sql, { raw, type Sql } from 'sql-template-tag'
import type { Language } from '../../core/locale/languages.ts'
import { aroundDays, localTime } from '../../core/locale/local-time-sql.ts'
import { termNames } from '../../core/locale/term-names-sql.ts'
import type { CenterId } from '../../core/records/centers/center.ts'
import type { MadeValues } from '../../core/records/record.ts'
import { nightsOf, roomOn } from '../../core/records/rooms-sql.ts'
import type { Page } from '../../core/request/paging.ts'

/** What the rooms of a day depend on. Days are local days of the center. */
export interface RoomDay {
  readonly center: CenterId
  readonly zone: string
  readonly date: string
  /** the last night that is looked at for `freeFrom` */
  readonly lastNight: string
  /** the moments of the first day and of the last night */
  readonly bounds: { readonly lower: string; readonly upper: string }
  /** statuses of bookings that are not active (ruling 50) */
  readonly inactive: readonly string[]
}

/** The values of a row `r` by the names of `records/room.ts`. @param noRoom the name of the row without a room */
export const roomValues = (noRoom: string, { date }: RoomDay): MadeValues => ({
  room_id: raw('r.id'),
  room_name: sql`coalesce(r.name, ${noRoom})`,
  room_date: sql`${date}::text`,
  beds: raw('r.beds'),
  guests: raw('r.guests'),
  arriving: raw('r.arriving'),
  departing: raw('r.departing'),
  moving_in: raw('r.moving_in'),
  moving_out: raw('r.moving_out'),
  tonight: raw('r.tonight'),
  free_from: raw('r.free_from'),
})

/**
 * Active stays that overlap the days: short ones along `bookings_by_start`, long ones along `bookings_long_stays`, as
 * `matchedGuests` does. `first_day` and `last_day` are local.
 */
function stays({ center, zone, date, lastNight, bounds: { lower, upper }, inactive }: RoomDay): Sql {
  const span = aroundDays(zone, { first: date, last: lastNight })
  const dayOf = (moment: Sql) => sql`${localTime(moment, zone, span)}::date`
  const part = (condition: Sql) => sql`
      select b.center_id, b.id, b.start_date, b.end_date, b.acc_segments,
        jsonb_build_object('roomId', b.accommodation -> 'roomId') as accommodation,
        ${dayOf(sql`b.start_date`)} as first_day, ${dayOf(sql`b.end_date`)} as last_day
      from bookings b
      where b.center_id = ${center} and b.start_date <= ${upper} and b.end_date >= ${lower}
        and b.status <> all(${inactive}) and ${condition}`
  const before = sql`${lower}::timestamptz - interval '31 days'`
  return sql`${part(sql`b.start_date >= ${before}`)}
      union all ${part(sql`b.end_date - b.start_date > interval '31 days' and b.start_date < ${before}`)}`
}

/**
 * The rooms of a day as the set `rooms`: every term of the set `room`, every other room that a guest of the day is in or
 * moves out of, and one row whose `id` is null for guests without a known room. A stay is in one room a day (`roomOn`).
 * `freeFrom` is where the first gap of the nights in a room begins.
 */
const rooms = (day: RoomDay, language: Language): Sql => {
  const { center, date, lastNight, zone } = day
  const night = { first: date, last: lastNight }
  return sql`
    stay as materialized (${stays(day)}
    ),
    present as (
      select b.first_day, b.last_day, ${roomOn(sql`${date}`)} as room,
        case when b.first_day < ${date}::date
          then ${roomOn(sql`to_char(${date}::date - 1, 'YYYY-MM-DD')`)} end as room_before
      from stay b
      where b.first_day <= ${date}::date and b.last_day >= ${date}::date
    ),
    counted as (
      select p.room, 1 as guests, (p.first_day = ${date}::date)::int as arriving,
        (p.last_day = ${date}::date)::int as departing, (p.last_day > ${date}::date)::int as tonight,
        (p.first_day < ${date}::date and p.room is distinct from p.room_before)::int as moving_in, 0 as moving_out
      from present p
      union all
      select p.room_before, 0, 0, 0, 0, 0, 1
      from present p
      where p.first_day < ${date}::date and p.room is distinct from p.room_before
    ),
    by_room as (
      select c.room, sum(c.guests)::int as guests, sum(c.arriving)::int as arriving,
        sum(c.departing)::int as departing, sum(c.moving_in)::int as moving_in,
        sum(c.moving_out)::int as moving_out, sum(c.tonight)::int as tonight
      from counted c
      group by c.room
    ),
    used as (
      select b.accommodation ->> 'roomId' as room, greatest(b.first_day, ${date}::date) as from_night,
        b.last_day as until_night
      from stay b
      where b.acc_segments is null and b.last_day > ${date}::date
      union all
      select n.room_id, n.night::date, n.night::date + 1
      from (${nightsOf(sql`select * from stay where acc_segments is not null`, zone, night)}) n
    ),
    spans as (
      select u.*, max(u.until_night) over (
        partition by u.room order by u.from_night, u.until_night
        rows between unbounded preceding and 1 preceding) as until_before
      from used u
      where u.room is not null
    ),
    free as (
      select s.room,
        case
          when min(s.from_night) > ${date}::date then ${date}::date
          else coalesce(min(s.until_before) filter (where s.from_night > s.until_before), max(s.until_night))
        end as free_from
      from spans s
      group by s.room
    ),
    rooms as (
      select coalesce(t.id, c.room) as id, coalesce(${termNames(language)}, c.room) as name, t.beds,
        coalesce(c.guests, 0) as guests, coalesce(c.arriving, 0) as arriving, coalesce(c.departing, 0) as departing,
        coalesce(c.moving_in, 0) as moving_in, coalesce(c.moving_out, 0) as moving_out,
        coalesce(c.tonight, 0) as tonight,
        case
          when t.id is null and c.room is null then null
          when f.room is null then ${date}::text
          when f.free_from <= ${lastNight}::date then to_char(f.free_from, 'YYYY-MM-DD')
        end as free_from
      from (select * from terms where center_id = ${center} and term_set = 'room') t
      full join by_room c on c.room = t.id
      left join free f on f.room = coalesce(t.id, c.room)
    )`
}

const ORDER = raw('r.id collate "C" nulls last')

/**
 * One page of the rooms by identifier, those without a known room last. Callers may rely on: there is always a row, which
 * begins with the revision and ends with the total; the value of `guests` is null only if the page is empty.
 * @param values of a row `r`
 */
export const selectRooms = (day: RoomDay, language: Language, page: Page, values: Sql): Sql => sql`
    with ${rooms(day, language)}
    select (select revision from center_revisions where center_id = ${day.center}) as revision,
      ${values},
      (select count(*)::int from rooms) as total
    from (select 1) as one
    left join (
      select * from rooms r order by ${ORDER} limit ${page.length} offset ${(page.start - 1) * page.length}
    ) r on true
    order by ${ORDER}`

/** All rooms in the same order, each beginning with the revision. @param values as in `selectRooms` */
export const selectAllRooms = (day: RoomDay, language: Language, values: Sql): Sql => sql`
    with ${rooms(day, language)}
    select (select revision from center_revisions where center_id = ${day.center}) as revision, ${values}
    from rooms r
    order by ${ORDER}`

/** `id` of every room; empty for the row without one. */
export const roomMembers = (day: RoomDay, language: Language): { listed: Sql; order: Sql } => ({
  listed: sql`with ${rooms(day, language)} select coalesce(r.id, '') as id, r.id as room from rooms r`,
  order: raw('l.room collate "C" nulls last'),
})
