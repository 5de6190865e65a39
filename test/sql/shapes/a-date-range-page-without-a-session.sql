select
  (select count(*) from (
select b.id, b.start_date
from bookings b
where b.center_id = $1
  and b.start_date <= $2 and b.end_date >= $3
  and b.start_date >= $4::timestamptz - interval '31 days'
  and not (b.session_ids && $5)) matched) + (select count(*) from (
select b.id, b.start_date
from bookings b
where b.center_id = $6
  and b.end_date - b.start_date > interval '31 days'
  and b.start_date <= $7 and b.end_date >= $8
  and b.start_date < $9::timestamptz - interval '31 days'
  and not (b.session_ids && $10)) matched) as total,
  (select revision from center_revisions where center_id = $11) as revision,
  (
    select concat_ws($12, count(*), string_agg(concat_ws($13, b.id, b.status, b.role, b.session_ids, coalesce('=' || (c.first_name), ''), coalesce('=' || (c.last_name), ''), coalesce('=' || (c.email), ''), date_part('epoch', b.start_date), date_part('epoch', b.end_date), coalesce(b.skipping_meals, 'null')), $14 order by page.start_date, page.id))
    from (
      select id, start_date
      from ((
select b.id, b.start_date
from bookings b
where b.center_id = $15
  and b.start_date <= $16 and b.end_date >= $17
  and b.start_date >= $18::timestamptz - interval '31 days'
  and not (b.session_ids && $19)
  order by b.start_date, b.id limit $20)
union all
(
select b.id, b.start_date
from bookings b
where b.center_id = $21
  and b.end_date - b.start_date > interval '31 days'
  and b.start_date <= $22 and b.end_date >= $23
  and b.start_date < $24::timestamptz - interval '31 days'
  and not (b.session_ids && $25) offset 0)) matched
      order by matched.start_date, matched.id
      limit $26 offset $27
    ) page
    join lateral (
      select k.booking_id as id, k.center_id, k.start_date, k.customer_id, k.role, k.status, k.end_date, k.session_ids, k.skipping_meals::json, k.first_name, k.last_name, k.email
      from booking_sessions k
      where k.center_id = $28 and k.booking_id = page.id
      union all
      select k.id, k.center_id, k.start_date, k.customer_id, k.role, k.status, k.end_date, k.session_ids, k.skipping_meals::json, c.first_name, c.last_name, c.email
      from (select * from bookings where center_id = $29 and id = page.id limit 1) k
      join lateral (select * from customers where center_id = k.center_id and id = k.customer_id limit 1) c on true
      limit 1
    ) b on true
    cross join lateral (select b.first_name, b.last_name, b.email) c
  ) as guests
-- $1 = "c07"
-- $2 = "2025-01-12T23:59:59.999Z"
-- $3 = "2025-01-06T00:00:00.000Z"
-- $4 = "2025-01-06T00:00:00.000Z"
-- $5 = ["s10"]
-- $6 = "c07"
-- $7 = "2025-01-12T23:59:59.999Z"
-- $8 = "2025-01-06T00:00:00.000Z"
-- $9 = "2025-01-06T00:00:00.000Z"
-- $10 = ["s10"]
-- $11 = "c07"
-- $12 = "\u001f"
-- $13 = "\u001f"
-- $14 = "\u001f"
-- $15 = "c07"
-- $16 = "2025-01-12T23:59:59.999Z"
-- $17 = "2025-01-06T00:00:00.000Z"
-- $18 = "2025-01-06T00:00:00.000Z"
-- $19 = ["s10"]
-- $20 = 50
-- $21 = "c07"
-- $22 = "2025-01-12T23:59:59.999Z"
-- $23 = "2025-01-06T00:00:00.000Z"
-- $24 = "2025-01-06T00:00:00.000Z"
-- $25 = ["s10"]
-- $26 = 50
-- $27 = 0
-- $28 = "c07"
-- $29 = "c07"
