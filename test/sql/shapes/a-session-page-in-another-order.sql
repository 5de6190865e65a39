with matched as materialized (
select m.id, m.start_date, c.dob as sort_0
from (
  select
    b.booking_id as id, b.start_date, b.center_id, b.customer_id, b.role, b.status, b.end_date, b.session_ids, b.skipping_meals::json, b.first_name, b.last_name, b.email
  from booking_sessions b
  where b.center_id = $1
    and b.session_id = $2
    ) m
cross join lateral (select * from customers where center_id = $3 and id = m.customer_id limit 1) c)
select
  (select count(*) from matched) as total,
  (select revision from center_revisions where center_id = $4) as revision,
  (
    select concat_ws($5, count(*), string_agg(concat_ws($6, b.id, b.status, b.role, b.session_ids, coalesce('=' || (c.first_name), ''), coalesce('=' || (c.last_name), ''), coalesce('=' || (c.email), ''), date_part('epoch', b.start_date), date_part('epoch', b.end_date), coalesce(b.skipping_meals, 'null')), $7 order by page.sort_0 desc nulls last, page.start_date, page.id))
    from (
      select *
      from matched
      order by matched.sort_0 desc nulls last, matched.start_date, matched.id
      limit $8 offset $9
    ) page
    join lateral (
      select k.booking_id as id, k.center_id, k.start_date, k.customer_id, k.role, k.status, k.end_date, k.session_ids, k.skipping_meals::json, k.first_name, k.last_name, k.email
      from booking_sessions k
      where k.center_id = $10 and k.booking_id = page.id
      union all
      select k.id, k.center_id, k.start_date, k.customer_id, k.role, k.status, k.end_date, k.session_ids, k.skipping_meals::json, c.first_name, c.last_name, c.email
      from (select * from bookings where center_id = $11 and id = page.id limit 1) k
      join lateral (select * from customers where center_id = k.center_id and id = k.customer_id limit 1) c on true
      limit 1
    ) b on true
    cross join lateral (select b.first_name, b.last_name, b.email) c
  ) as guests
-- $1 = "c07"
-- $2 = "s10"
-- $3 = "c07"
-- $4 = "c07"
-- $5 = "\u001f"
-- $6 = "\u001f"
-- $7 = "\u001f"
-- $8 = 50
-- $9 = 0
-- $10 = "c07"
-- $11 = "c07"
