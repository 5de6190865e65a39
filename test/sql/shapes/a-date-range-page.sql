with matched as materialized (
select b.id, b.start_date
from bookings b
where b.center_id = $1
  and b.start_date <= $2 and b.end_date >= $3
  and b.start_date >= $4::timestamptz - interval '31 days'
union all
select b.id, b.start_date
from bookings b
where b.center_id = $5
  and b.end_date - b.start_date > interval '31 days'
  and b.start_date <= $6 and b.end_date >= $7
  and b.start_date < $8::timestamptz - interval '31 days'
  )
select
  (select count(*) from matched) as total,
  (select revision from center_revisions where center_id = $9) as revision,
  (
    select coalesce(json_agg(json_build_array(b.id, b.status, b.role, b.session_ids, c.first_name, c.last_name, c.email, floor(date_part('epoch', b.start_date) * 1000 + 0.0005), floor(date_part('epoch', b.end_date) * 1000 + 0.0005), b.skipping_meals) order by page.start_date, page.id), '[]')
    from (
      select id, start_date from matched
      order by start_date, id
      limit $10 offset $11
    ) page
    join lateral (select * from bookings where center_id = $12 and id = page.id limit 1) b on true
    left join lateral (select * from customers where center_id = b.center_id and id = b.customer_id limit 1) c on true
  ) as guests
-- $1 = "c07"
-- $2 = "2025-01-12T23:59:59.999Z"
-- $3 = "2025-01-06T00:00:00.000Z"
-- $4 = "2025-01-06T00:00:00.000Z"
-- $5 = "c07"
-- $6 = "2025-01-12T23:59:59.999Z"
-- $7 = "2025-01-06T00:00:00.000Z"
-- $8 = "2025-01-06T00:00:00.000Z"
-- $9 = "c07"
-- $10 = 50
-- $11 = 0
-- $12 = "c07"
