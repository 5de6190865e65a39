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
all_by_phone as materialized (
    select c.id from customers c
    where c.center_id = $9 collate "POSIX"
      and coalesce(c.email, c.phone, c.secondary_phone) is not null
      and contact_index(c.center_id, c.email, c.phone, c.secondary_phone) @@ search_query($10::text, $11::text)),
by_phone as materialized (select * from all_by_phone limit $12),
all_by_booking_number as materialized (
    select b.id, b.customer_id from bookings b
    where b.center_id = $13 collate "POSIX" and b.booking_id is not null
      and number_index(b.center_id, b.booking_id) @@ (select search_query($14::text, letters) from sought)),
by_booking_number as materialized (select * from all_by_booking_number limit $15),
rooms as materialized (
  select distinct room_letters(t.id) as letters
  from terms t
  cross join sought s
  where t.center_id = $16 and t.term_set = 'room'
    and exists (
      select from (
        select t.id as name union all select t.name union all select value from jsonb_each_text(t.names)
      ) n
      where position(' ' || s.letters in ' ' || room_letters(n.name)) > 0
    )
  union
  select s.letters from sought s where length(s.letters) >= 3
  limit $17
),
by_room as materialized (
  select id, customer_id from (
    select b.id, b.customer_id, b.start_date
    from rooms r
    cross join lateral (
      select b.id, b.customer_id, b.start_date
      from bookings b
      where b.center_id = $18 and b.accommodation ->> 'roomId' is not null
        and room_letters(b.accommodation ->> 'roomId') = r.letters collate "default"
      order by b.start_date desc
      limit $19
    ) b
    union
    select b.id, b.customer_id, b.start_date
    from bookings b
    where b.center_id = $20 collate "POSIX" and b.acc_segments is not null
      and segments_index(b.center_id, b.acc_segments)
        && array(select $21::text || r.letters from rooms r)
  ) stay
  order by start_date desc
  limit $22
),
hits as (
  select id as customer_id, null as booking, 'name' as found_by from by_name
  union all select id, null, 'email' from by_email
  union all select id, null, 'phone' from by_phone
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
      case when not (b.status <> all($23)) then 3 when b.end_date < $24 then 2
        when b.start_date > $25 then 1 else 0 end as rank
    from bookings b
    where b.center_id = $26 and b.customer_id = p.customer_id
      and (p.bookings is null or b.id = any(p.bookings))
    order by rank, abs(extract(epoch from b.start_date - $27::timestamptz)), b.id
    limit 1
  ) stay
),
all_by_order_number as materialized (
    select o.uuid from orders o
    where o.center_id = $28 collate "POSIX" and o.number is not null
      and number_index(o.center_id, o.number) @@ (select search_query($29::text, letters) from sought)),
by_order_number as materialized (select * from all_by_order_number limit $30),
by_stay as materialized (
  select b.order_uuid as uuid
  from (select id from all_by_name limit $31) n
  cross join lateral (
    select b.order_uuid from bookings b
    where b.center_id = $32 and b.customer_id = n.id and b.order_uuid is not null
    limit $33
  ) b
  limit $34
),
by_guest as materialized (select distinct uuid from by_stay limit $35),
found_orders as materialized (
  select uuid, json_agg(found_by) as found_by
  from (
    select uuid, 'orderNumber' as found_by from by_order_number
    union all select uuid, 'name' from by_guest
    union all select o.uuid, 'uuid' from orders o where o.center_id = $36 and o.uuid = $37
  ) found
  group by uuid
)
select (select revision from center_revisions where center_id = $38) as revision,
  json_build_object(
  'total', (select count(*)::int from guests),
  'complete', not ((select count(*) from by_name) > $39 or (select count(*) from by_email) > $40 or (select count(*) from by_phone) > $41 or (select count(*) from by_booking_number) > $42 or (select count(*) from by_room) > $43
    or (select count(*) from rooms) > $44),
  'data', (
    select coalesce(json_agg(json_build_array(g.id, c.first_name, c.last_name, r.id,
      coalesce((
        select coalesce(t.names ->> $45, t.name) from terms t
        where t.center_id = $46 and t.term_set = 'room' and t.id = r.id
      ), r.id),
      floor(date_part('epoch', g.start_date) * 1000 + 0.0005), floor(date_part('epoch', g.end_date) * 1000 + 0.0005), b.status, g.rank, g.found_by,
      c.email, case when position($47::text in phone_digits(c.phone)) > 0 then c.phone
        when position($48::text in phone_digits(c.secondary_phone)) > 0 then c.secondary_phone end, b.booking_id) order by g.position), '[]')
    from (
      select *, row_number() over (
        order by rank, abs(extract(epoch from start_date - $49::timestamptz)), id
      ) as position
      from guests order by position limit $50
    ) g
    join bookings b on b.center_id = $51 and b.id = g.id
    join customers c on c.center_id = $52 and c.id = g.customer_id
    cross join lateral (
      select case when b.acc_segments is null then b.accommodation
        else coalesce(segment_on(b.acc_segments, least(
          to_char(b.end_date at time zone $53, 'YYYY-MM-DD'),
          greatest(to_char(b.start_date at time zone $54, 'YYYY-MM-DD'), $55::text))), b.accommodation)
      end ->> 'roomId' as id
    ) r
  )) as guests,
  json_build_object(
  'total', (select count(*)::int from found_orders),
  'complete', not ((select count(*) from by_order_number) > $56 or (select count(*) from by_guest) > $57
    or (select count(*) from by_stay) > $58 or (select count(*) from (select from all_by_name limit $59) n) > $60),
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
      join orders o on o.center_id = $61 and o.uuid = f.uuid
      order by o.order_date desc, o.uuid limit $62
    ) f
    join orders o on o.center_id = $63 and o.uuid = f.uuid
  )) as orders
-- $1 = "0721 23"
-- $2 = "c07"
-- $3 = "c07"
-- $4 = "0721 23"
-- $5 = 201
-- $6 = "c07"
-- $7 = "c07@"
-- $8 = 201
-- $9 = "c07"
-- $10 = "c07#"
-- $11 = "72123"
-- $12 = 201
-- $13 = "c07"
-- $14 = "c07/"
-- $15 = 201
-- $16 = "c07"
-- $17 = 51
-- $18 = "c07"
-- $19 = 500
-- $20 = "c07"
-- $21 = "c07/"
-- $22 = 501
-- $23 = ["cancelled","waitingList","review"]
-- $24 = "2025-01-06T00:00:00.000Z"
-- $25 = "2025-01-12T23:59:59.999Z"
-- $26 = "c07"
-- $27 = "2025-01-06T00:00:00.000Z"
-- $28 = "c07"
-- $29 = "c07/"
-- $30 = 201
-- $31 = 5001
-- $32 = "c07"
-- $33 = 50
-- $34 = 601
-- $35 = 201
-- $36 = "c07"
-- $37 = "0721 23"
-- $38 = "c07"
-- $39 = 200
-- $40 = 200
-- $41 = 200
-- $42 = 200
-- $43 = 500
-- $44 = 50
-- $45 = "en"
-- $46 = "c07"
-- $47 = "72123"
-- $48 = "72123"
-- $49 = "2025-01-06T00:00:00.000Z"
-- $50 = 20
-- $51 = "c07"
-- $52 = "c07"
-- $53 = "Europe/Bucharest"
-- $54 = "Europe/Bucharest"
-- $55 = "2025-01-06"
-- $56 = 200
-- $57 = 200
-- $58 = 600
-- $59 = 5001
-- $60 = 5000
-- $61 = "c07"
-- $62 = 20
-- $63 = "c07"
