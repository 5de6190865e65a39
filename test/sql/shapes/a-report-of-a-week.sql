with slice as materialized (
  select * from ((
select b.id, b.start_date
from bookings b
where b.center_id = $1
  and b.start_date <= $2 and b.end_date >= $3
  and b.start_date >= $4::timestamptz - interval '31 days'
  and b.status <> all($5)
  order by b.start_date, b.id limit $6)
union all
(
select b.id, b.start_date
from bookings b
where b.center_id = $7
  and b.end_date - b.start_date > interval '31 days'
  and b.start_date <= $8 and b.end_date >= $9
  and b.start_date < $10::timestamptz - interval '31 days'
  and b.status <> all($11) offset 0)) matched
  order by start_date, id limit $12
)
select (select count(*) from slice) as total,
  (select revision from center_revisions where center_id = $13) as revision,
  (
    select coalesce(
      json_agg(json_build_array(b.id, c.first_name, c.last_name,
        floor(date_part('epoch', b.start_date) * 1000 + 0.0005), floor(date_part('epoch', b.end_date) * 1000 + 0.0005), b.skipping_meals)),
      '[]'
    )
    from slice page join lateral (
      select k.booking_id as id, k.center_id, k.start_date, k.customer_id, k.role, k.status, k.end_date, k.session_ids, k.skipping_meals::json, k.first_name, k.last_name, k.email
      from booking_sessions k
      where k.center_id = $14 and k.booking_id = page.id
      union all
      select k.id, k.center_id, k.start_date, k.customer_id, k.role, k.status, k.end_date, k.session_ids, k.skipping_meals::json, c.first_name, c.last_name, c.email
      from (select * from bookings where center_id = $15 and id = page.id limit 1) k
      join lateral (select * from customers where center_id = k.center_id and id = k.customer_id limit 1) c on true
      limit 1
    ) b on true
    cross join lateral (select b.first_name, b.last_name, b.email) c
    where b.skipping_meals::text <> '{"breakfast": [], "lunch": [], "dinner": []}'::jsonb::text
  ) as guests,
  '[]'::json as starts,
  (
    select json_build_array(start_date, id) from slice
    order by start_date, id offset $16 limit 1
  ) as last
-- $1 = "c07"
-- $2 = "2025-01-12T23:59:59.999Z"
-- $3 = "2025-01-06T00:00:00.000Z"
-- $4 = "2025-01-06T00:00:00.000Z"
-- $5 = ["cancelled","waitingList","review"]
-- $6 = 200
-- $7 = "c07"
-- $8 = "2025-01-12T23:59:59.999Z"
-- $9 = "2025-01-06T00:00:00.000Z"
-- $10 = "2025-01-06T00:00:00.000Z"
-- $11 = ["cancelled","waitingList","review"]
-- $12 = 200
-- $13 = "c07"
-- $14 = "c07"
-- $15 = "c07"
-- $16 = 199
