with matched as materialized (
  select  bs.booking_id as id, bs.start_date
  from booking_sessions bs
  join bookings b on b.center_id = bs.center_id and b.id = bs.booking_id
  where bs.center_id = $1
    and bs.session_id = $2
    and b.status = $3)
select
  (select count(*) from matched) as total,
  (select revision from center_revisions where center_id = $4) as revision,
  (
    select concat_ws($5, count(*), string_agg(concat_ws($6, b.id, b.status, b.role, b.session_ids, c.first_name, c.last_name, coalesce('=' || (c.email), ''), date_part('epoch', b.start_date), date_part('epoch', b.end_date), coalesce((b.skipping_meals)::text, '')), $7 order by page.start_date, page.id))
    from (
      select id, start_date from matched
      order by start_date, id
      limit $8 offset $9
    ) page
    join lateral (select * from bookings where center_id = $10 and id = page.id limit 1) b on true
    left join lateral (select * from customers where center_id = b.center_id and id = b.customer_id limit 1) c on true
  ) as guests
-- $1 = "c07"
-- $2 = "s10"
-- $3 = "confirmed"
-- $4 = "c07"
-- $5 = "\u001f"
-- $6 = "\u001f"
-- $7 = "\u001f"
-- $8 = 50
-- $9 = 0
-- $10 = "c07"
