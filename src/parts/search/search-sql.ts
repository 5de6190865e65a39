/** The statement of `GET /search`. */
import sql, { join, raw, type Sql } from 'sql-template-tag'
import { hasEmail, having, named, nameQuery } from '../../core/api/guests/person-query-sql.ts'
import { guestNames } from '../../core/api/orders/orders-sql.ts'
import { epochMs } from '../../core/database/json-rows.ts'
import type { Language } from '../../core/locale/languages.ts'
import { localDay } from '../../core/locale/local-time-sql.ts'
import { termNames } from '../../core/locale/term-names-sql.ts'
import type { CenterId } from '../../core/records/centers/center.ts'
import type { Bounds } from '../../core/request/bounds.ts'
import type { DatesMeant } from './dates-meant.ts'

/** The most customers, bookings or orders that one kind of comparison finds. */
export const FOUND_MAX = 200

/** The most rooms that are compared, and the most of their newest stays that are read. */
const ROOMS_MAX = 50
const STAYS_MAX = 500

/** The most people of a name whose orders are looked for, and the most of their stays that are looked at. */
const NAMED_MAX = 5000
const PAIRS_MAX = 600
/** The most stays of one person that have an order. */
const ORDERS_MAX = 50

/** What is searched for. */
export interface Sought {
  readonly center: CenterId
  readonly words: string
  /** digits without leading zeros; undefined if the words are not a part of a phone number */
  readonly digits: string | undefined
  /** dates of birth that the words may be, and those that differ by one error; none if the key may not read them */
  readonly born: DatesMeant
  /** the most records of each group that are returned */
  readonly length: number
  readonly groups: ReadonlySet<'guests' | 'orders'>
  readonly language: Language
  readonly zone: string
  /** the local day as moments, and as a date */
  readonly day: Bounds
  readonly today: string
  /** statuses of bookings that are not active (ruling 50) */
  readonly inactive: readonly string[]
}

/** Compared with the indexes of `migrations/0049-search.sql`; the words are folded once. */
const asked = (center: CenterId, mark: string) =>
  sql`(select search_query(${`${center}${mark}`}::text, letters) from sought)`

/**
 * All that an index finds is a set of its own before it is bounded: with the bound next to the condition, the planner
 * reads the whole table when it expects the words to be frequent.
 */
const bounded = (name: string, found: Sql): Sql =>
  sql`${raw(`all_${name}`)} as materialized (${found}),
    ${raw(name)} as materialized (select * from ${raw(`all_${name}`)} limit ${FOUND_MAX + 1})`

/** Customers by name: uses `customers_by_name`. */
const byName = ({ center, words }: Sought): Sql => bounded('by_name', named(nameQuery(center, words), center))

/** What `name_sounds` leaves of Latin letters, and no letter. */
const SOUNDS = ',a,b,c,d,e,f,g,h,i,l,m,n,o,p,r,s,t,u,v,z'
/** The words of a search of which one may have an error. */
const WORDS_MAX = 3
/** In shorter words an error makes another name, so the whole word is compared. */
const BEGINNING_MIN = 6

/**
 * Customers whose name has the words, one of them with one letter wrong, missing, or too many, or with two letters exchanged.
 * Each word that it may have been is looked up in `customers_by_name`, some hundred for each word. Halves of a word, as
 * `name_near` uses them, would find thousands of names to compare.
 */
const bySimilarName = ({ center, words }: Sought): Sql => sql`
    asked as materialized (select at, word, is_sound from name_asked(${words}::text)),
    exact as (
      select at, '(' || string_agg(
        name_quoted(${center} || case when is_sound then '/' else '' end || word)
          || case when is_sound or length(word) > 3 then ':*' else '' end, ' | ') || ')' as query
      from asked group by at
    ),
    slips as (
      select at, '(' || string_agg(name_quoted(${center} || '/' || slip) || rest, ' | ') || ')' as query
      from (
        select distinct a.at, a.word, v.slip, case when length(a.word) >= ${BEGINNING_MIN} then ':*' else '' end as rest
        from asked a
        cross join generate_series(0, length(a.word)) p
        cross join lateral (
          select left(a.word, p) || letter || substr(a.word, p + size) as slip
          from string_to_table(${SOUNDS}, ',') letter cross join (values (1), (2)) s (size)
          union all
          select left(a.word, p) || substr(a.word, p + 2, 1) || substr(a.word, p + 1, 1) || substr(a.word, p + 3)
        ) v
        where a.is_sound and a.at <= ${WORDS_MAX} and a.word ~ '^[a-z]{4,16}$'
      ) slip
      where slip <> word
      group by at
    ),
    ${bounded(
      'by_similar_name',
      sql`${named(
        sql`(
          select string_agg(s.query || coalesce((
            select string_agg(' & ' || e.query, '') from exact e where e.at <> s.at
          ), ''), ' | ')::tsquery
          from slips s
        )`,
        center,
      )} except select id from all_by_name`,
    )}`

/** Customers by date of birth: uses `customers_by_dob`. */
const byBirth = ({ center, born }: Sought): Sql =>
  bounded('by_birth', having(sql`c.dob = any(${[...born.meant, ...born.similar]}::date[])`, center))

const mayBeBorn = ({ born }: Sought): boolean => born.meant.length > 0

/**
 * Customers by e-mail address and phone number: uses `customers_by_contact`, which has addresses without their host, and
 * `customers_by_email` for a whole address.
 */
function byContact({ center, words, digits }: Sought): Sql[] {
  const having = (query: Sql) => sql`
        select c.id from customers c
        where c.center_id = ${center} collate "POSIX"
          and coalesce(c.email, c.phone, c.secondary_phone) is not null
          and contact_index(c.center_id, c.email, c.phone, c.secondary_phone) @@ ${query}`
  const at = words.indexOf('@')
  const letters = sql`left(name_letters(${words.slice(0, at)}::text), 200)`
  const byEmail = bounded(
    'by_email',
    at < 0
      ? having(asked(center, '@'))
      : sql`${having(sql`search_query(${`${center}@`}::text, ${letters})`)}
          and position(lower(${words}::text collate "C") in lower(c.email collate "C")) > 0
        union
        select c.id from customers c where c.center_id = ${center} and ${hasEmail(words)}`,
  )
  if (digits === undefined) return [byEmail]
  return [byEmail, bounded('by_phone', having(sql`search_query(${`${center}#`}::text, ${digits}::text)`))]
}

/** Bookings by their number: uses `bookings_by_number_part`. */
const byBookingNumber = ({ center }: Sought): Sql =>
  bounded(
    'by_booking_number',
    sql`
        select b.id, b.customer_id from bookings b
        where b.center_id = ${center} collate "POSIX" and b.booking_id is not null
          and number_index(b.center_id, b.booking_id) @@ ${asked(center, '/')}`,
  )

/**
 * The newest stays in rooms that have the words in one of their names, and in rooms that are no term and are written in
 * this way. Uses `bookings_by_room` and `bookings_by_segment`. Rooms are compared in the collation of that index: without it
 * they have that of the identifiers of terms, and every booking of the center is read, 0.4 s for 100,000.
 */
const byRoom = ({ center }: Sought): Sql => sql`
    rooms as materialized (
      select distinct room_letters(t.id) as letters
      from terms t
      cross join sought s
      where t.center_id = ${center} and t.term_set = 'room'
        and exists (
          select from (
            select t.id as name union all select t.name union all select value from jsonb_each_text(t.names)
          ) n
          where position(' ' || s.letters in ' ' || room_letters(n.name)) > 0
        )
      union
      select s.letters from sought s where length(s.letters) >= 3
      limit ${ROOMS_MAX + 1}
    ),
    by_room as materialized (
      select id, customer_id from (
        select b.id, b.customer_id, b.start_date
        from rooms r
        cross join lateral (
          select b.id, b.customer_id, b.start_date
          from bookings b
          where b.center_id = ${center} and b.accommodation ->> 'roomId' is not null
            and room_letters(b.accommodation ->> 'roomId') = r.letters collate "default"
          order by b.start_date desc
          limit ${STAYS_MAX}
        ) b
        union
        select b.id, b.customer_id, b.start_date
        from bookings b
        where b.center_id = ${center} collate "POSIX" and b.acc_segments is not null
          and segments_index(b.center_id, b.acc_segments)
            && array(select ${`${center}/`}::text || r.letters from rooms r)
      ) stay
      order by start_date desc
      limit ${STAYS_MAX + 1}
    )`

/**
 * For each customer of the sets, how it was found; `booking` is null where the customer was found. `similar` if nothing of it is
 * exactly what was searched for.
 */
const hits = (sought: Sought): Sql => sql`
    hits as (
      select id as customer_id, null as booking, 'name' as found_by, false as is_similar from by_name
      union all select id, null, 'similarName', true from by_similar_name
      union all select id, null, 'email', false from by_email
      ${sought.digits === undefined ? sql`` : sql`union all select id, null, 'phone', false from by_phone`}
      ${
        mayBeBorn(sought)
          ? sql`union all
      select p.id, null, 'dob', c.dob <> all(${sought.born.meant}::date[])
      from by_birth p join customers c on c.center_id = ${sought.center} and c.id = p.id`
          : sql``
      }
      union all select customer_id, id, 'bookingId', false from by_booking_number
      union all select customer_id, id, 'room', false from by_room
    ),
    people as materialized (
      select customer_id, json_agg(distinct found_by) as found_by, bool_and(is_similar) as is_similar,
        array_agg(booking) filter (where booking is not null) as bookings
      from hits
      group by customer_id
    )`

/**
 * For each person one stay: of those that were found, the one now, else the next, else the last, and active ones before
 * others. Uses `bookings_by_customer`.
 */
const guests = (sought: Sought): Sql => {
  const { center, day, inactive } = sought
  const isActive = sql`b.status <> all(${inactive})`
  return sql`
    guests as materialized (
      select p.customer_id, p.found_by, p.is_similar, stay.*
      from people p
      cross join lateral (
        select b.id, b.start_date, b.end_date,
          case when not (${isActive}) then 3 when b.end_date < ${day.lower} then 2
            when b.start_date > ${day.upper} then 1 else 0 end as rank
        from bookings b
        where b.center_id = ${center} and b.customer_id = p.customer_id
          and (p.bookings is null or b.id = any(p.bookings))
        order by rank, abs(extract(epoch from b.start_date - ${day.lower}::timestamptz)), b.id
        limit 1
      ) stay
    )`
}

const overflow = (names: readonly string[], max: number): Sql =>
  join(
    names.map((name) => sql`(select count(*) from ${raw(name)}) > ${max}`),
    ' or ',
  )

const guestsFound = (sought: Sought): Sql => {
  const { center, digits, language, zone, today, length } = sought
  const phone =
    digits === undefined
      ? sql`null::text`
      : sql`case when position(${digits}::text in phone_digits(c.phone)) > 0 then c.phone
            when position(${digits}::text in phone_digits(c.secondary_phone)) > 0 then c.secondary_phone end`
  const sets = [
    ...['by_name', 'by_similar_name', 'by_email', 'by_booking_number'],
    ...(digits === undefined ? [] : ['by_phone']),
    ...(mayBeBorn(sought) ? ['by_birth'] : []),
  ]
  return sql`json_build_object(
      'total', (select count(*)::int from guests),
      'complete', not (${overflow(sets, FOUND_MAX)} or ${overflow(['by_room'], STAYS_MAX)}
        or ${overflow(['rooms'], ROOMS_MAX)}),
      'data', (
        select coalesce(json_agg(json_build_array(g.id, c.first_name, c.last_name, r.id,
          coalesce((
            select coalesce(${termNames(language)}) from terms t
            where t.center_id = ${center} and t.term_set = 'room' and t.id = r.id
          ), r.id),
          ${raw(epochMs('g.start_date'))}, ${raw(epochMs('g.end_date'))}, b.status, g.rank, g.found_by,
          c.email, ${phone}, b.booking_id, g.is_similar,
          ${mayBeBorn(sought) ? sql`to_char(c.dob, 'YYYY-MM-DD')` : sql`null::text`}) order by g.position), '[]')
        from (
          select *, row_number() over (
            order by is_similar, rank, abs(extract(epoch from start_date - ${sought.day.lower}::timestamptz)), id
          ) as position
          from guests order by position limit ${length}
        ) g
        join bookings b on b.center_id = ${center} and b.id = g.id
        join customers c on c.center_id = ${center} and c.id = g.customer_id
        cross join lateral (
          select case when b.acc_segments is null then b.accommodation
            else coalesce(segment_on(b.acc_segments, least(
              ${localDay(sql`b.end_date`, zone)},
              greatest(${localDay(sql`b.start_date`, zone)}, ${today}::text))), b.accommodation)
          end ->> 'roomId' as id
        ) r
      ))`
}

/**
 * Orders by their number (`orders_by_number_part`), by their identifier, and by the names of their guests
 * (`bookings_by_customer`). Other values of guests are not compared, because the scope `orders` shows only names. Guests
 * without an order do not count, so a key that reads orders alone learns nothing of them.
 */
const byOrder = ({ center, words }: Sought): Sql => sql`
    ${bounded(
      'by_order_number',
      sql`
        select o.uuid from orders o
        where o.center_id = ${center} collate "POSIX" and o.number is not null
          and number_index(o.center_id, o.number) @@ ${asked(center, '/')}`,
    )},
    by_stay as materialized (
      select b.order_uuid as uuid, n.found_by
      from (
        select id, found_by from (
          select id, 'name' as found_by from all_by_name union all select id, 'similarName' from all_by_similar_name
        ) each limit ${NAMED_MAX + 1}
      ) n
      cross join lateral (
        select b.order_uuid from bookings b
        where b.center_id = ${center} and b.customer_id = n.id and b.order_uuid is not null
        limit ${ORDERS_MAX}
      ) b
      limit ${PAIRS_MAX + 1}
    ),
    by_guest as materialized (
      select uuid, min(found_by) as found_by from by_stay group by uuid limit ${FOUND_MAX + 1}
    ),
    found_orders as materialized (
      select uuid, json_agg(found_by) as found_by, bool_and(found_by = 'similarName') as is_similar
      from (
        select uuid, 'orderNumber' as found_by from by_order_number
        union all select uuid, found_by from by_guest
        union all select o.uuid, 'uuid' from orders o where o.center_id = ${center} and o.uuid = ${words}
      ) found
      group by uuid
    )`

const ordersFound = ({ center, length }: Sought): Sql => sql`json_build_object(
      'total', (select count(*)::int from found_orders),
      'complete', not (${overflow(['by_order_number', 'by_guest'], FOUND_MAX)}
        or ${overflow(['by_stay'], PAIRS_MAX)} or (
        select count(*) from (
          select from all_by_name union all select from all_by_similar_name limit ${NAMED_MAX + 1}
        ) n
      ) > ${NAMED_MAX}),
      'data', (
        select coalesce(json_agg(json_build_array(o.uuid, o.number, ${raw(epochMs('o.order_date'))}, o.status,
          o.payment_status, f.found_by, ${guestNames}) order by f.is_similar, o.order_date desc, o.uuid), '[]')
        from (
          select f.uuid, f.found_by, f.is_similar from found_orders f
          join orders o on o.center_id = ${center} and o.uuid = f.uuid
          order by f.is_similar, o.order_date desc, o.uuid limit ${length}
        ) f
        join orders o on o.center_id = ${center} and o.uuid = f.uuid
      ))`

/**
 * What is found in each of the groups. Callers may rely on: one row, with the revision and, for each group that is
 * searched, an object with `total`, `complete` and at most `length` records as `data`, in order; null for the others.
 */
export function selectFound(sought: Sought): Sql {
  const { center, words, groups } = sought
  const searchesGuests = groups.has('guests')
  const searchesOrders = groups.has('orders')
  const sets = [
    sql`sought as materialized (select nullif(left(name_letters(${words}::text), 200), '') as letters)`,
    byName(sought),
    bySimilarName(sought),
    ...(searchesGuests
      ? [
          ...(mayBeBorn(sought) ? [byBirth(sought)] : []),
          ...byContact(sought),
          byBookingNumber(sought),
          byRoom(sought),
          hits(sought),
          guests(sought),
        ]
      : []),
    ...(searchesOrders ? [byOrder(sought)] : []),
  ]
  return sql`
    with ${join(sets, ',\n    ')}
    select (select revision from center_revisions where center_id = ${center}) as revision,
      ${searchesGuests ? guestsFound(sought) : raw('null::json')} as guests,
      ${searchesOrders ? ordersFound(sought) : raw('null::json')} as orders`
}
