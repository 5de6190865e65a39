select
(select count(*) from (
select
  b.booking_id as id, b.start_date, b.center_id, b.customer_id, b.role, b.status, b.end_date, b.session_ids, b.skipping_meals::json, b.first_name, b.last_name, b.email
from booking_sessions b
where b.center_id = $1
  and b.session_id = $2
  ) matched) as total,
(select revision from center_revisions where center_id = $3) as revision,
(
  select concat_ws($4, count(*), string_agg(concat_ws($5, b.id, b.status, b.role, b.session_ids, coalesce('=' || (o.number), ''), coalesce((date_part('epoch', s.start_date))::text, ''), coalesce((date_part('epoch', s.end_date))::text, '')), $6 order by page.start_date, page.id))
  from (
    select id, start_date
    from (
select
  b.booking_id as id, b.start_date, b.center_id, b.customer_id, b.role, b.status, b.end_date, b.session_ids, b.skipping_meals::json, b.first_name, b.last_name, b.email
from booking_sessions b
where b.center_id = $7
  and b.session_id = $8
  ) matched
    order by matched.start_date, matched.id
    limit $9 offset $10
  ) page
  join lateral (select * from bookings where center_id = $11 and id = page.id limit 1) b on true
  left join lateral (select * from sessions where center_id = b.center_id and id = b.session_ids[1] limit 1) s on true
  left join lateral (select * from orders where center_id = b.center_id and uuid = b.order_uuid limit 1) o on true
) as guests
-- $1 = "c07"
-- $2 = "s10"
-- $3 = "c07"
-- $4 = "\u001f"
-- $5 = "\u001f"
-- $6 = "\u001f"
-- $7 = "c07"
-- $8 = "s10"
-- $9 = 50
-- $10 = 0
-- $11 = "c07"
