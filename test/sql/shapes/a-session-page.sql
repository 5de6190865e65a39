select
(select count(*) from (
select  bs.booking_id as id, bs.start_date
from booking_sessions bs
where bs.center_id = $1
  and bs.session_id = $2
  ) matched) as total,
(select revision from center_revisions where center_id = $3) as revision,
(
  select concat_ws($4, count(*), string_agg(concat_ws($5, b.id, b.status, b.role, b.session_ids, c.first_name, c.last_name, coalesce('=' || (c.email), ''), date_part('epoch', b.start_date), date_part('epoch', b.end_date), coalesce((b.skipping_meals)::text, '')), $6 order by page.start_date, page.id))
  from (
    select id, start_date from (
select  bs.booking_id as id, bs.start_date
from booking_sessions bs
where bs.center_id = $7
  and bs.session_id = $8
  ) matched
    order by start_date, id
    limit $9 offset $10
  ) page
  join lateral (select * from bookings where center_id = $11 and id = page.id limit 1) b on true
  left join lateral (select * from customers where center_id = b.center_id and id = b.customer_id limit 1) c on true
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
