with slice as materialized (
  select * from ((
select b.id, b.start_date
from bookings b
where b.center_id = $1
  and b.start_date <= $2 and b.end_date >= $3
  and b.start_date >= $4::timestamptz - interval '31 days'
  and b.status <> all($5)
  and (b.start_date, b.id) > ($6::timestamptz, $7)
  order by b.start_date, b.id limit $8)
union all
(
select b.id, b.start_date
from bookings b
where b.center_id = $9
  and b.end_date - b.start_date > interval '31 days'
  and b.start_date <= $10 and b.end_date >= $11
  and b.start_date < $12::timestamptz - interval '31 days'
  and b.status <> all($13)
  and (b.start_date, b.id) > ($14::timestamptz, $15) offset 0)) matched
  order by start_date, id limit $16
)
select (select count(*) from slice) as total,
  (select revision from center_revisions where center_id = $17) as revision,
  (
    select coalesce(
      json_agg(json_build_array(b.id, c.first_name, c.last_name,
        floor(date_part('epoch', b.start_date) * 1000 + 0.0005), floor(date_part('epoch', b.end_date) * 1000 + 0.0005), b.skipping_meals)),
      '[]'
    )
    from slice page join lateral (
      select k.booking_id as id, k.center_id, k.start_date, k.customer_id, k.role, k.status, k.end_date, k.session_ids, k.skipping_meals::json, k.first_name, k.last_name, k.email
      from booking_sessions k
      where k.center_id = $18 and k.booking_id = page.id
      union all
      select k.id, k.center_id, k.start_date, k.customer_id, k.role, k.status, k.end_date, k.session_ids, k.skipping_meals::json, c.first_name, c.last_name, c.email
      from (select * from bookings where center_id = $19 and id = page.id limit 1) k
      join lateral (select * from customers where center_id = k.center_id and id = k.customer_id limit 1) c on true
      limit 1
    ) b on true
    cross join lateral (select b.first_name, b.last_name, b.email) c
    where b.skipping_meals::text <> '{"breakfast": [], "lunch": [], "dinner": []}'::jsonb::text
  ) as guests,
  '[]'::json as starts,
  (
    select json_build_array(start_date, id) from slice
    order by start_date, id offset $20 limit 1
  ) as last
-- $1 = "c07"
-- $2 = "2026-12-31T23:59:59.999Z"
-- $3 = "2016-01-01T00:00:00.000Z"
-- $4 = "2016-01-01T00:00:00.000Z"
-- $5 = ["cancelled","waitingList","review"]
-- $6 = "2025-01-12T12:00:00+00:00"
-- $7 = "b1001"
-- $8 = 200
-- $9 = "c07"
-- $10 = "2026-12-31T23:59:59.999Z"
-- $11 = "2016-01-01T00:00:00.000Z"
-- $12 = "2016-01-01T00:00:00.000Z"
-- $13 = ["cancelled","waitingList","review"]
-- $14 = "2025-01-12T12:00:00+00:00"
-- $15 = "b1001"
-- $16 = 200
-- $17 = "c07"
-- $18 = "c07"
-- $19 = "c07"
-- $20 = 199
