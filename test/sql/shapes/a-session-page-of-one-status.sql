select
(select count(*) from (
select
  b.booking_id as id, b.start_date, b.center_id, b.customer_id, b.role, b.status, b.end_date, b.session_ids, b.skipping_meals::json, b.first_name, b.last_name, b.email
from booking_sessions b
where b.center_id = $1
  and b.session_id = $2
  and b.status = $3) matched) as total,
(select revision from center_revisions where center_id = $4) as revision,
(
  select concat_ws($5, count(*), string_agg(concat_ws($6, b.id, b.status, b.role, b.session_ids, coalesce('=' || (c.first_name), ''), coalesce('=' || (c.last_name), ''), coalesce('=' || (c.email), ''), date_part('epoch', b.start_date), date_part('epoch', b.end_date), coalesce(b.skipping_meals, 'null')), $7 order by b.start_date, b.id))
  from (
    select *
    from (
select
  b.booking_id as id, b.start_date, b.center_id, b.customer_id, b.role, b.status, b.end_date, b.session_ids, b.skipping_meals::json, b.first_name, b.last_name, b.email
from booking_sessions b
where b.center_id = $8
  and b.session_id = $9
  and b.status = $10) matched
    order by matched.start_date, matched.id
    limit $11 offset $12
  ) b
  cross join lateral (select b.first_name, b.last_name, b.email) c
) as guests
-- $1 = "c07"
-- $2 = "s10"
-- $3 = "confirmed"
-- $4 = "c07"
-- $5 = "\u001f"
-- $6 = "\u001f"
-- $7 = "\u001f"
-- $8 = "c07"
-- $9 = "s10"
-- $10 = "confirmed"
-- $11 = 50
-- $12 = 0
