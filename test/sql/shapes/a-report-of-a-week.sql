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
    from
    slice join lateral (select * from
      bookings where center_id = $14 and id = slice.id and skipping_meals <> '{"breakfast": [], "lunch": [], "dinner": []}' limit 1) b on true
    join lateral (select * from customers where center_id = b.center_id and id = b.customer_id limit 1) c on true
  ) as guests,
  '[]'::json as starts,
  (
    select json_build_array(start_date, id) from slice
    order by start_date, id offset $15 limit 1
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
-- $15 = 199
