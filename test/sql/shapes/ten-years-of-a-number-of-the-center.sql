with matched as materialized (
select b.id, b.start_date
from bookings b
where b.center_id = $1
  and b.start_date <= $2 and b.end_date >= $3
  and b.start_date >= $4::timestamptz - interval '31 days'
  and b.customer_id in (with found as materialized (
    select c.id from customers c where c.center_id = $5 and c.internal_id = $6) select id from found)
union all
select b.id, b.start_date
from bookings b
where b.center_id = $7
  and b.end_date - b.start_date > interval '31 days'
  and b.start_date <= $8 and b.end_date >= $9
  and b.start_date < $10::timestamptz - interval '31 days'
  and b.customer_id in (with found as materialized (
    select c.id from customers c where c.center_id = $11 and c.internal_id = $12) select id from found))
select
  (select count(*) from matched) as total,
  (select revision from center_revisions where center_id = $13) as revision,
  (
    select concat_ws($14, count(*), string_agg(concat_ws($15, b.id, b.status, b.role, b.session_ids, c.first_name, c.last_name, coalesce('=' || (c.email), ''), date_part('epoch', b.start_date), date_part('epoch', b.end_date), coalesce((b.skipping_meals)::text, '')), $16 order by page.start_date, page.id))
    from (
      select id, start_date from matched
      order by matched.start_date, matched.id
      limit $17 offset $18
    ) page
    join lateral (select * from bookings where center_id = $19 and id = page.id limit 1) b on true
    left join lateral (select * from customers where center_id = b.center_id and id = b.customer_id limit 1) c on true
  ) as guests
-- $1 = "c07"
-- $2 = "2026-12-31T23:59:59.999Z"
-- $3 = "2016-01-01T00:00:00.000Z"
-- $4 = "2016-01-01T00:00:00.000Z"
-- $5 = "c07"
-- $6 = "C-42"
-- $7 = "c07"
-- $8 = "2026-12-31T23:59:59.999Z"
-- $9 = "2016-01-01T00:00:00.000Z"
-- $10 = "2016-01-01T00:00:00.000Z"
-- $11 = "c07"
-- $12 = "C-42"
-- $13 = "c07"
-- $14 = "\u001f"
-- $15 = "\u001f"
-- $16 = "\u001f"
-- $17 = 50
-- $18 = 0
-- $19 = "c07"
