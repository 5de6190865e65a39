with matched as materialized (
  select  bs.booking_id as id, bs.start_date
  from booking_sessions bs
  where bs.center_id = $1
    and bs.session_id = $2
    )
select
  (select count(*) from matched) as total,
  (select revision from center_revisions where center_id = $3) as revision,
  (
    select coalesce(json_agg(json_build_array(b.id, b.status, b.role, b.session_ids, o.number, floor(date_part('epoch', s.start_date) * 1000 + 0.0005), floor(date_part('epoch', s.end_date) * 1000 + 0.0005)) order by page.start_date, page.id), '[]')
    from (
      select id, start_date from matched
      order by start_date, id
      limit $4 offset $5
    ) page
    join lateral (select * from bookings where center_id = $6 and id = page.id limit 1) b on true
    left join lateral (select * from sessions where center_id = b.center_id and id = b.session_ids[1] limit 1) s on true
    left join lateral (select * from orders where center_id = b.center_id and uuid = b.order_uuid limit 1) o on true
  ) as guests
-- $1 = "c07"
-- $2 = "s10"
-- $3 = "c07"
-- $4 = 50
-- $5 = 0
-- $6 = "c07"
