with wanted as materialized (
  select id, at from json_array_elements_text($1::json) with ordinality each (id, at)
)
select
  (select revision from center_revisions where center_id = $2) as revision,
  to_json(name_readings($3::text, true)) as wanted,
  (
    select coalesce(json_agg(json_build_array(b.id, b.booking_id, c.first_name, c.last_name,
      floor(date_part('epoch', b.start_date) * 1000 + 0.0005), floor(date_part('epoch', b.end_date) * 1000 + 0.0005), b.status, b.session_ids,
      name_readings(concat_ws(' ', c.first_name, c.last_name), $4::boolean),
      lower(c.email collate "C") = lower($5::text collate "C"),
      c.dob,
      pin_hash(c.pin) = $6)), '[]')
    from (
      select m.id, m.customer_id
      from (
select b.id, b.start_date, b.customer_id
from bookings b
where b.center_id = $7
  and b.start_date + interval '0' <= $8 and b.end_date + interval '0' >= $9
  and b.customer_id in (select id from wanted)) m
      join wanted on wanted.id = m.customer_id
      order by wanted.at, m.start_date, m.id
      limit $10
    ) f
    cross join lateral (select * from bookings where center_id = $11 and id = f.id limit 1) b
    cross join lateral (select * from customers where center_id = $12 and id = f.customer_id limit 1) c
  ) as candidates,
  null as last,
  null as customers
-- $1 = "[\"customer-1\",\"customer-2\"]"
-- $2 = "c07"
-- $3 = "Popesku Iona"
-- $4 = false
-- $5 = "ana@example.com"
-- $6 = "0000000000000000000000000000000000000000000000000000000000000000"
-- $7 = "c07"
-- $8 = "2026-12-31T23:59:59.999Z"
-- $9 = "2016-01-01T00:00:00.000Z"
-- $10 = 201
-- $11 = "c07"
-- $12 = "c07"
