select
  (select count(*) from (
select b.id, b.start_date
from bookings b
where b.center_id = $1
  and b.start_date <= $2 and b.end_date >= $3
  and b.start_date >= $4::timestamptz - interval '31 days'
  ) matched) + (select count(*) from (
select b.id, b.start_date
from bookings b
where b.center_id = $5
  and b.end_date - b.start_date > interval '31 days'
  and b.start_date <= $6 and b.end_date >= $7
  and b.start_date < $8::timestamptz - interval '31 days'
  ) matched) as total,
  (select revision from center_revisions where center_id = $9) as revision,
  (
    select concat_ws($10, count(*), string_agg(concat_ws($11, b.id, b.status, b.role, b.session_ids, coalesce('=' || (c.first_name), ''), coalesce('=' || (c.last_name), ''), coalesce('=' || (c.email), ''), date_part('epoch', b.start_date), date_part('epoch', b.end_date), coalesce(b.skipping_meals, 'null')), $12 order by page.start_date, page.id))
    from (
      select id, start_date
      from ((
select b.id, b.start_date
from bookings b
where b.center_id = $13
  and b.start_date <= $14 and b.end_date >= $15
  and b.start_date >= $16::timestamptz - interval '31 days'
  order by b.start_date, b.id limit $17)
union all
(
select b.id, b.start_date
from bookings b
where b.center_id = $18
  and b.end_date - b.start_date > interval '31 days'
  and b.start_date <= $19 and b.end_date >= $20
  and b.start_date < $21::timestamptz - interval '31 days'
   offset 0)) matched
      order by matched.start_date, matched.id
      limit $22 offset $23
    ) page
    join lateral (
      select k.booking_id as id, k.center_id, k.start_date, k.customer_id, k.role, k.status, k.end_date, k.session_ids, k.skipping_meals::json, k.first_name, k.last_name, k.email
      from booking_sessions k
      where k.center_id = $24 and k.booking_id = page.id
      union all
      select k.id, k.center_id, k.start_date, k.customer_id, k.role, k.status, k.end_date, k.session_ids, k.skipping_meals::json, c.first_name, c.last_name, c.email
      from (select * from bookings where center_id = $25 and id = page.id limit 1) k
      join lateral (select * from customers where center_id = k.center_id and id = k.customer_id limit 1) c on true
      limit 1
    ) b on true
    cross join lateral (select b.first_name, b.last_name, b.email) c
  ) as guests
-- $1 = "c07"
-- $2 = "2025-01-31T23:59:59.999Z"
-- $3 = "2025-01-01T00:00:00.000Z"
-- $4 = "2025-01-01T00:00:00.000Z"
-- $5 = "c07"
-- $6 = "2025-01-31T23:59:59.999Z"
-- $7 = "2025-01-01T00:00:00.000Z"
-- $8 = "2025-01-01T00:00:00.000Z"
-- $9 = "c07"
-- $10 = "\u001f"
-- $11 = "\u001f"
-- $12 = "\u001f"
-- $13 = "c07"
-- $14 = "2025-01-31T23:59:59.999Z"
-- $15 = "2025-01-01T00:00:00.000Z"
-- $16 = "2025-01-01T00:00:00.000Z"
-- $17 = 30
-- $18 = "c07"
-- $19 = "2025-01-31T23:59:59.999Z"
-- $20 = "2025-01-01T00:00:00.000Z"
-- $21 = "2025-01-01T00:00:00.000Z"
-- $22 = 10
-- $23 = 20
-- $24 = "c07"
-- $25 = "c07"
