select
  (select count(*) from (
select b.id, b.start_date
from bookings b
where b.center_id = $1
  and b.start_date <= $2 and b.end_date >= $3
  and b.start_date >= $4::timestamptz - interval '31 days'
  and b.status <> all($5)
  and b.start_date <= $6 and b.end_date >= $7) matched) + (select count(*) from (
select b.id, b.start_date
from bookings b
where b.center_id = $8
  and b.end_date - b.start_date > interval '31 days'
  and b.start_date <= $9 and b.end_date >= $10
  and b.start_date < $11::timestamptz - interval '31 days'
  and b.status <> all($12)
  and b.start_date <= $13 and b.end_date >= $14) matched) as total,
  (select revision from center_revisions where center_id = $15) as revision,
  (
    select concat_ws($16, count(*), string_agg(concat_ws($17, b.id, b.status, b.role, b.session_ids, coalesce('=' || (c.first_name), ''), coalesce('=' || (c.last_name), ''), coalesce('=' || (c.email), ''), date_part('epoch', b.start_date), date_part('epoch', b.end_date), coalesce(b.skipping_meals, 'null')), $18 order by page.start_date, page.id))
    from (
      select id, start_date
      from ((
select b.id, b.start_date
from bookings b
where b.center_id = $19
  and b.start_date <= $20 and b.end_date >= $21
  and b.start_date >= $22::timestamptz - interval '31 days'
  and b.status <> all($23)
  and b.start_date <= $24 and b.end_date >= $25
  order by b.start_date, b.id limit $26)
union all
(
select b.id, b.start_date
from bookings b
where b.center_id = $27
  and b.end_date - b.start_date > interval '31 days'
  and b.start_date <= $28 and b.end_date >= $29
  and b.start_date < $30::timestamptz - interval '31 days'
  and b.status <> all($31)
  and b.start_date <= $32 and b.end_date >= $33 offset 0)) matched
      order by matched.start_date, matched.id
      limit $34 offset $35
    ) page
    join lateral (
      select k.booking_id as id, k.center_id, k.start_date, k.customer_id, k.role, k.status, k.end_date, k.session_ids, k.skipping_meals::json, k.first_name, k.last_name, k.email
      from booking_sessions k
      where k.center_id = $36 and k.booking_id = page.id
      union all
      select k.id, k.center_id, k.start_date, k.customer_id, k.role, k.status, k.end_date, k.session_ids, k.skipping_meals::json, c.first_name, c.last_name, c.email
      from (select * from bookings where center_id = $37 and id = page.id limit 1) k
      join lateral (select * from customers where center_id = k.center_id and id = k.customer_id limit 1) c on true
      limit 1
    ) b on true
    cross join lateral (select b.first_name, b.last_name, b.email) c
  ) as guests
-- $1 = "c07"
-- $2 = "2025-01-12T23:59:59.999Z"
-- $3 = "2025-01-06T00:00:00.000Z"
-- $4 = "2025-01-06T00:00:00.000Z"
-- $5 = ["cancelled","waitingList","review"]
-- $6 = "2025-01-12T23:59:59.999Z"
-- $7 = "2025-01-06T00:00:00.000Z"
-- $8 = "c07"
-- $9 = "2025-01-12T23:59:59.999Z"
-- $10 = "2025-01-06T00:00:00.000Z"
-- $11 = "2025-01-06T00:00:00.000Z"
-- $12 = ["cancelled","waitingList","review"]
-- $13 = "2025-01-12T23:59:59.999Z"
-- $14 = "2025-01-06T00:00:00.000Z"
-- $15 = "c07"
-- $16 = "\u001f"
-- $17 = "\u001f"
-- $18 = "\u001f"
-- $19 = "c07"
-- $20 = "2025-01-12T23:59:59.999Z"
-- $21 = "2025-01-06T00:00:00.000Z"
-- $22 = "2025-01-06T00:00:00.000Z"
-- $23 = ["cancelled","waitingList","review"]
-- $24 = "2025-01-12T23:59:59.999Z"
-- $25 = "2025-01-06T00:00:00.000Z"
-- $26 = 50
-- $27 = "c07"
-- $28 = "2025-01-12T23:59:59.999Z"
-- $29 = "2025-01-06T00:00:00.000Z"
-- $30 = "2025-01-06T00:00:00.000Z"
-- $31 = ["cancelled","waitingList","review"]
-- $32 = "2025-01-12T23:59:59.999Z"
-- $33 = "2025-01-06T00:00:00.000Z"
-- $34 = 50
-- $35 = 0
-- $36 = "c07"
-- $37 = "c07"
