select
  (select count(*) from (
select b.id, b.start_date
from bookings b
where b.center_id = $1
  and b.start_date <= $2 and b.end_date >= $3
  and b.start_date >= $4::timestamptz - interval '31 days'
  and b.start_date >= $5 and b.start_date <= $6) matched) + (select count(*) from (
select b.id, b.start_date
from bookings b
where b.center_id = $7
  and b.end_date - b.start_date > interval '31 days'
  and b.start_date <= $8 and b.end_date >= $9
  and b.start_date < $10::timestamptz - interval '31 days'
  and b.start_date >= $11 and b.start_date <= $12) matched) as total,
  (select revision from center_revisions where center_id = $13) as revision,
  (
    select concat_ws($14, count(*), string_agg(concat_ws($15, b.id, b.status, b.role, b.session_ids, coalesce('=' || (c.first_name), ''), coalesce('=' || (c.last_name), ''), coalesce('=' || (c.email), ''), date_part('epoch', b.start_date), date_part('epoch', b.end_date), coalesce(b.skipping_meals, 'null')), $16 order by page.start_date, page.id))
    from (
      select id, start_date
      from ((
select b.id, b.start_date
from bookings b
where b.center_id = $17
  and b.start_date <= $18 and b.end_date >= $19
  and b.start_date >= $20::timestamptz - interval '31 days'
  and b.start_date >= $21 and b.start_date <= $22
  order by b.start_date, b.id limit $23)
union all
(
select b.id, b.start_date
from bookings b
where b.center_id = $24
  and b.end_date - b.start_date > interval '31 days'
  and b.start_date <= $25 and b.end_date >= $26
  and b.start_date < $27::timestamptz - interval '31 days'
  and b.start_date >= $28 and b.start_date <= $29 offset 0)) matched
      order by matched.start_date, matched.id
      limit $30 offset $31
    ) page
    join lateral (
      select k.booking_id as id, k.center_id, k.start_date, k.customer_id, k.role, k.status, k.end_date, k.session_ids, k.skipping_meals::json, k.first_name, k.last_name, k.email
      from booking_sessions k
      where k.center_id = $32 and k.booking_id = page.id
      union all
      select k.id, k.center_id, k.start_date, k.customer_id, k.role, k.status, k.end_date, k.session_ids, k.skipping_meals::json, c.first_name, c.last_name, c.email
      from (select * from bookings where center_id = $33 and id = page.id limit 1) k
      join lateral (select * from customers where center_id = k.center_id and id = k.customer_id limit 1) c on true
      limit 1
    ) b on true
    cross join lateral (select b.first_name, b.last_name, b.email) c
  ) as guests
-- $1 = "c07"
-- $2 = "2025-01-12T23:59:59.999Z"
-- $3 = "2025-01-06T00:00:00.000Z"
-- $4 = "2025-01-06T00:00:00.000Z"
-- $5 = "2025-01-06T00:00:00.000Z"
-- $6 = "2025-01-12T23:59:59.999Z"
-- $7 = "c07"
-- $8 = "2025-01-12T23:59:59.999Z"
-- $9 = "2025-01-06T00:00:00.000Z"
-- $10 = "2025-01-06T00:00:00.000Z"
-- $11 = "2025-01-06T00:00:00.000Z"
-- $12 = "2025-01-12T23:59:59.999Z"
-- $13 = "c07"
-- $14 = "\u001f"
-- $15 = "\u001f"
-- $16 = "\u001f"
-- $17 = "c07"
-- $18 = "2025-01-12T23:59:59.999Z"
-- $19 = "2025-01-06T00:00:00.000Z"
-- $20 = "2025-01-06T00:00:00.000Z"
-- $21 = "2025-01-06T00:00:00.000Z"
-- $22 = "2025-01-12T23:59:59.999Z"
-- $23 = 50
-- $24 = "c07"
-- $25 = "2025-01-12T23:59:59.999Z"
-- $26 = "2025-01-06T00:00:00.000Z"
-- $27 = "2025-01-06T00:00:00.000Z"
-- $28 = "2025-01-06T00:00:00.000Z"
-- $29 = "2025-01-12T23:59:59.999Z"
-- $30 = 50
-- $31 = 0
-- $32 = "c07"
-- $33 = "c07"
