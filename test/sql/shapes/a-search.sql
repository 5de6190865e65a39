with sought as materialized (select nullif(left(name_letters($1::text), 200), '') as letters),
all_by_name as materialized (
    select c.id from customers c
    where c.center_id = $2 collate "POSIX"
      and name_index(c.center_id, c.first_name, c.last_name) @@ name_query($3, $4)),
by_name as materialized (select * from all_by_name limit $5),
all_by_email as materialized (
    select c.id from customers c
    where c.center_id = $6 collate "POSIX"
      and coalesce(c.email, c.phone, c.secondary_phone) is not null
      and contact_index(c.center_id, c.email, c.phone, c.secondary_phone) @@ (select search_query($7::text, letters) from sought)),
by_email as materialized (select * from all_by_email limit $8),
all_by_booking_number as materialized (
    select b.id, b.customer_id from bookings b
    where b.center_id = $9 collate "POSIX" and b.booking_id is not null
      and number_index(b.center_id, b.booking_id) @@ (select search_query($10::text, letters) from sought)),
by_booking_number as materialized (select * from all_by_booking_number limit $11),
rooms as materialized (
  select distinct room_letters(t.id) as letters
  from terms t
  cross join sought s
  where t.center_id = $12 and t.term_set = 'room'
    and exists (
      select from (
        select t.id as name union all select t.name union all select value from jsonb_each_text(t.names)
      ) n
      where position(' ' || s.letters in ' ' || room_letters(n.name)) > 0
    )
  union
  select s.letters from sought s where length(s.letters) >= 3
  limit $13
),
by_room as materialized (
  select id, customer_id from (
    select b.id, b.customer_id, b.start_date
    from rooms r
    cross join lateral (
      select b.id, b.customer_id, b.start_date
      from bookings b
      where b.center_id = $14 and b.accommodation ->> 'roomId' is not null
        and room_letters(b.accommodation ->> 'roomId') = r.letters collate "default"
      order by b.start_date desc
      limit $15
    ) b
    union
    select b.id, b.customer_id, b.start_date
    from bookings b
    where b.center_id = $16 collate "POSIX" and b.acc_segments is not null
      and segments_index(b.center_id, b.acc_segments)
        && array(select $17::text || r.letters from rooms r)
  ) stay
  order by start_date desc
  limit $18
),
hits as (
  select id as customer_id, null as booking, 'name' as found_by from by_name
  union all select id, null, 'email' from by_email
  union all select customer_id, id, 'bookingId' from by_booking_number
  union all select customer_id, id, 'room' from by_room
),
people as materialized (
  select customer_id, json_agg(distinct found_by) as found_by,
    array_agg(booking) filter (where booking is not null) as bookings
  from hits
  group by customer_id
),
guests as materialized (
  select p.customer_id, p.found_by, stay.*
  from people p
  cross join lateral (
    select b.id, b.start_date, b.end_date,
      case when not (b.status <> all($19)) then 3 when b.end_date < $20 then 2
        when b.start_date > $21 then 1 else 0 end as rank
    from bookings b
    where b.center_id = $22 and b.customer_id = p.customer_id
      and (p.bookings is null or b.id = any(p.bookings))
    order by rank, abs(extract(epoch from b.start_date - $23::timestamptz)), b.id
    limit 1
  ) stay
),
all_by_order_number as materialized (
    select o.uuid from orders o
    where o.center_id = $24 collate "POSIX" and o.number is not null
      and number_index(o.center_id, o.number) @@ (select search_query($25::text, letters) from sought)),
by_order_number as materialized (select * from all_by_order_number limit $26),
by_stay as materialized (
  select b.order_uuid as uuid
  from (select id from all_by_name limit $27) n
  cross join lateral (
    select b.order_uuid from bookings b
    where b.center_id = $28 and b.customer_id = n.id and b.order_uuid is not null
    limit $29
  ) b
  limit $30
),
by_guest as materialized (select distinct uuid from by_stay limit $31),
found_orders as materialized (
  select uuid, json_agg(found_by) as found_by
  from (
    select uuid, 'orderNumber' as found_by from by_order_number
    union all select uuid, 'name' from by_guest
    union all select o.uuid, 'uuid' from orders o where o.center_id = $32 and o.uuid = $33
  ) found
  group by uuid
)
select (select revision from center_revisions where center_id = $34) as revision,
  json_build_object(
  'total', (select count(*)::int from guests),
  'complete', not ((select count(*) from by_name) > $35 or (select count(*) from by_email) > $36 or (select count(*) from by_booking_number) > $37 or (select count(*) from by_room) > $38
    or (select count(*) from rooms) > $39),
  'data', (
    select coalesce(json_agg(json_build_array(g.id, c.first_name, c.last_name, r.id,
      coalesce((
        select coalesce(t.names ->> $40, t.name) from terms t
        where t.center_id = $41 and t.term_set = 'room' and t.id = r.id
      ), r.id),
      floor(date_part('epoch', g.start_date) * 1000 + 0.0005), floor(date_part('epoch', g.end_date) * 1000 + 0.0005), b.status, g.rank, g.found_by,
      c.email, null::text, b.booking_id) order by g.position), '[]')
    from (
      select *, row_number() over (
        order by rank, abs(extract(epoch from start_date - $42::timestamptz)), id
      ) as position
      from guests order by position limit $43
    ) g
    join bookings b on b.center_id = $44 and b.id = g.id
    join customers c on c.center_id = $45 and c.id = g.customer_id
    cross join lateral (
      select case when b.acc_segments is null then b.accommodation
        else coalesce(segment_on(b.acc_segments, least(
          to_char(b.end_date at time zone $46, 'YYYY-MM-DD'),
          greatest(to_char(b.start_date at time zone $47, 'YYYY-MM-DD'), $48::text))), b.accommodation)
      end ->> 'roomId' as id
    ) r
  )) as guests,
  json_build_object(
  'total', (select count(*)::int from found_orders),
  'complete', not ((select count(*) from by_order_number) > $49 or (select count(*) from by_guest) > $50
    or (select count(*) from by_stay) > $51 or (select count(*) from (select from all_by_name limit $52) n) > $53),
  'data', (
    select coalesce(json_agg(json_build_array(o.uuid, o.number, floor(date_part('epoch', o.order_date) * 1000 + 0.0005), o.status,
      o.payment_status, f.found_by, (
  select jsonb_agg(jsonb_build_array(g.first_name, g.last_name, g.main))
  from (
    select c.id, c.first_name, c.last_name, bool_or(coalesce(b.is_order_main_guest, false)) as main
    from bookings b
    join customers c on c.center_id = b.center_id and c.id = b.customer_id
    where b.center_id = o.center_id and b.order_uuid = o.uuid
    group by c.id, c.first_name, c.last_name
  ) g)) order by o.order_date desc, o.uuid), '[]')
    from (
      select f.uuid, f.found_by from found_orders f
      join orders o on o.center_id = $54 and o.uuid = f.uuid
      order by o.order_date desc, o.uuid limit $55
    ) f
    join orders o on o.center_id = $56 and o.uuid = f.uuid
  )) as orders
-- $1 = "room 42"
-- $2 = "c07"
-- $3 = "c07"
-- $4 = "room 42"
-- $5 = 201
-- $6 = "c07"
-- $7 = "c07@"
-- $8 = 201
-- $9 = "c07"
-- $10 = "c07/"
-- $11 = 201
-- $12 = "c07"
-- $13 = 51
-- $14 = "c07"
-- $15 = 500
-- $16 = "c07"
-- $17 = "c07/"
-- $18 = 501
-- $19 = ["cancelled","waitingList","review"]
-- $20 = "2025-01-06T00:00:00.000Z"
-- $21 = "2025-01-12T23:59:59.999Z"
-- $22 = "c07"
-- $23 = "2025-01-06T00:00:00.000Z"
-- $24 = "c07"
-- $25 = "c07/"
-- $26 = 201
-- $27 = 5001
-- $28 = "c07"
-- $29 = 50
-- $30 = 601
-- $31 = 201
-- $32 = "c07"
-- $33 = "room 42"
-- $34 = "c07"
-- $35 = 200
-- $36 = 200
-- $37 = 200
-- $38 = 500
-- $39 = 50
-- $40 = "en"
-- $41 = "c07"
-- $42 = "2025-01-06T00:00:00.000Z"
-- $43 = 20
-- $44 = "c07"
-- $45 = "c07"
-- $46 = "Europe/Bucharest"
-- $47 = "Europe/Bucharest"
-- $48 = "2025-01-06"
-- $49 = 200
-- $50 = 200
-- $51 = 600
-- $52 = 5001
-- $53 = 5000
-- $54 = "c07"
-- $55 = 20
-- $56 = "c07"
