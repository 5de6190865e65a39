select
(select count(*) from (
select distinct on (b.start_date, b.booking_id)
  b.booking_id as id, b.start_date, b.center_id, b.customer_id, b.role, b.status, b.end_date, b.session_ids, b.skipping_meals::json, b.first_name, b.last_name, b.email
from booking_sessions b
where b.center_id = $1
  and b.session_id = any($2)
  ) matched) as total,
(select revision from center_revisions where center_id = $3) as revision,
(
  select concat_ws($4, count(*), string_agg(concat_ws($5, b.id, b.status, b.role, b.session_ids, coalesce('=' || (c.first_name), ''), coalesce('=' || (c.last_name), ''), coalesce('=' || (c.email), ''), date_part('epoch', b.start_date), date_part('epoch', b.end_date), coalesce(b.skipping_meals, 'null')), $6 order by b.start_date, b.id))
  from (
    select *
    from (
select distinct on (b.start_date, b.booking_id)
  b.booking_id as id, b.start_date, b.center_id, b.customer_id, b.role, b.status, b.end_date, b.session_ids, b.skipping_meals::json, b.first_name, b.last_name, b.email
from booking_sessions b
where b.center_id = $7
  and b.session_id = any($8)
  ) matched
    order by matched.start_date, matched.id
    limit $9 offset $10
  ) b
  cross join lateral (select b.first_name, b.last_name, b.email) c
) as guests
-- $1 = "c07"
-- $2 = ["s10","s11"]
-- $3 = "c07"
-- $4 = "\u001f"
-- $5 = "\u001f"
-- $6 = "\u001f"
-- $7 = "c07"
-- $8 = ["s10","s11"]
-- $9 = 50
-- $10 = 0
