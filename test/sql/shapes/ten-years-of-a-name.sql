with matched as materialized (
select b.id, b.start_date
from bookings b
where b.center_id = $1
  and b.start_date <= $2 and b.end_date >= $3
  and b.start_date >= $4::timestamptz - interval '31 days'
  and b.customer_id in (with found as materialized (
    select c.id from customers c
    where c.center_id = $5
      and name_keys(c.center_id, c.first_name, c.last_name) @@ name_query($6, $7)) select id from found)
union all
select b.id, b.start_date
from bookings b
where b.center_id = $8
  and b.end_date - b.start_date > interval '31 days'
  and b.start_date <= $9 and b.end_date >= $10
  and b.start_date < $11::timestamptz - interval '31 days'
  and b.customer_id in (with found as materialized (
    select c.id from customers c
    where c.center_id = $12
      and name_keys(c.center_id, c.first_name, c.last_name) @@ name_query($13, $14)) select id from found))
select
  (select count(*) from matched) as total,
  (select revision from center_revisions where center_id = $15) as revision,
  (
    select concat_ws($16, count(*), string_agg(concat_ws($17, b.id, b.status, b.role, b.session_ids, c.first_name, c.last_name, coalesce('=' || (c.email), ''), date_part('epoch', b.start_date), date_part('epoch', b.end_date), coalesce((b.skipping_meals)::text, '')), $18 order by page.start_date, page.id))
    from (
      select id, start_date from matched
      order by matched.start_date, matched.id
      limit $19 offset $20
    ) page
    join lateral (select * from bookings where center_id = $21 and id = page.id limit 1) b on true
    left join lateral (select * from customers where center_id = b.center_id and id = b.customer_id limit 1) c on true
  ) as guests
-- $1 = "c07"
-- $2 = "2026-12-31T23:59:59.999Z"
-- $3 = "2016-01-01T00:00:00.000Z"
-- $4 = "2016-01-01T00:00:00.000Z"
-- $5 = "c07"
-- $6 = "c07"
-- $7 = "Țurcanu"
-- $8 = "c07"
-- $9 = "2026-12-31T23:59:59.999Z"
-- $10 = "2016-01-01T00:00:00.000Z"
-- $11 = "2016-01-01T00:00:00.000Z"
-- $12 = "c07"
-- $13 = "c07"
-- $14 = "Țurcanu"
-- $15 = "c07"
-- $16 = "\u001f"
-- $17 = "\u001f"
-- $18 = "\u001f"
-- $19 = 50
-- $20 = 0
-- $21 = "c07"
