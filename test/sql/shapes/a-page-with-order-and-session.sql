with booked as materialized (
    select * from bookings
    where center_id >= any($1) and center_id <= any($2) and id = any(array(select id from (
      select id, start_date
      from (
  select
    b.booking_id as id, b.start_date, b.center_id, b.customer_id, b.role, b.status, b.end_date, b.session_ids, b.skipping_meals::json, b.first_name, b.last_name, b.email
  from booking_sessions b
  where b.center_id = $3
    and b.session_id = $4
    ) matched
      order by matched.start_date, matched.id
      limit $5 offset $6
    ) page))),
sessions_of_page as materialized (
    select * from sessions
    where center_id >= any($7) and center_id <= any($8) and id = any(array(select b.session_ids[1] from booked b))),
orders_of_page as materialized (
    select * from orders
    where center_id >= any($9) and center_id <= any($10) and uuid = any(array(select b.order_uuid from booked b)))
select
  (select count(*) from (
  select
    b.booking_id as id, b.start_date, b.center_id, b.customer_id, b.role, b.status, b.end_date, b.session_ids, b.skipping_meals::json, b.first_name, b.last_name, b.email
  from booking_sessions b
  where b.center_id = $11
    and b.session_id = $12
    ) matched) as total,
  (select revision from center_revisions where center_id = $13) as revision,
  (
    select concat_ws($14, count(*), string_agg(concat_ws($15, b.id, b.status, b.role, b.session_ids, coalesce('=' || (o.number), ''), coalesce((date_part('epoch', s.start_date))::text, ''), coalesce((date_part('epoch', s.end_date))::text, '')), $16 order by b.start_date, b.id))
    from booked b
    full join sessions_of_page s on s.id = b.session_ids[1]
    full join orders_of_page o on o.uuid = b.order_uuid
  ) as guests
-- $1 = ["c07"]
-- $2 = ["c07"]
-- $3 = "c07"
-- $4 = "s10"
-- $5 = 50
-- $6 = 0
-- $7 = ["c07"]
-- $8 = ["c07"]
-- $9 = ["c07"]
-- $10 = ["c07"]
-- $11 = "c07"
-- $12 = "s10"
-- $13 = "c07"
-- $14 = "\u001f"
-- $15 = "\u001f"
-- $16 = "\u001f"
