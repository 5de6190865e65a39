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
    select concat_ws($4, count(*), string_agg(concat_ws($5, b.id, b.status, b.role, b.session_ids, (
select coalesce(jsonb_agg(jsonb_build_array(past.id, past.name) order by past.start_date, past.id), '[]')
from (
  select distinct hs.id, hs.name, hs.start_date
  from bookings hb
  cross join unnest(hb.session_ids) held (session_id)
  cross join lateral (select * from sessions where center_id = hb.center_id and id = held.session_id limit 1) hs
  where hb.center_id = b.center_id and hb.customer_id = b.customer_id
    and hb.status in ('arrived', 'paid', 'departed') and hs.end_date < b.start_date
) past), (
select coalesce(jsonb_agg(jsonb_build_array(past.id, past.name) order by past.start_date, past.id), '[]')
from (
  select distinct hs.id, hs.name, hs.start_date
  from bookings hb
  cross join unnest(hb.session_ids) held (session_id)
  cross join lateral (select * from sessions where center_id = hb.center_id and id = held.session_id limit 1) hs
  where hb.center_id = b.center_id and hb.customer_id = b.customer_id
    and hb.status in ('registered', 'registeredOnline', 'confirmed', 'paid', 'arrived') and hs.start_date > b.end_date
) past)), $6 order by b.start_date, b.id))
    from (
      select *
      from (
  select
    b.booking_id as id, b.start_date, b.center_id, b.customer_id, b.role, b.status, b.end_date, b.session_ids, b.skipping_meals::json, b.first_name, b.last_name, b.email
  from booking_sessions b
  where b.center_id = $7
    and b.session_id = $8
    ) matched
      order by matched.start_date, matched.id
      limit $9 offset $10
    ) b
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
