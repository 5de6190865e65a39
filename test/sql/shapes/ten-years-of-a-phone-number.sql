with matched as materialized (
select b.id, b.start_date, b.customer_id
from bookings b
where b.center_id = $1
  and b.start_date + interval '0' <= $2 and b.end_date + interval '0' >= $3
  and b.customer_id in (with found as materialized (
    select c.id from customers c
    where c.center_id = $4 collate "POSIX"
      and coalesce(c.email, c.phone, c.secondary_phone) is not null
      and contact_index(c.center_id, c.email, c.phone, c.secondary_phone)
        @@ search_query($5::text, right(phone_key($6), 7))
      and exists (
        select from unnest(phone_keys(c.phone) || phone_keys(c.secondary_phone)) as k (key)
        where is_same_phone(k.key, phone_key($7))
      )) select id from found))
select
  (select count(*) from matched) as total,
  (select revision from center_revisions where center_id = $8) as revision,
  (
    select concat_ws($9, count(*), string_agg(concat_ws($10, b.id, b.status, b.role, b.session_ids, coalesce('=' || (c.first_name), ''), coalesce('=' || (c.last_name), ''), coalesce('=' || (c.email), ''), date_part('epoch', b.start_date), date_part('epoch', b.end_date), coalesce(b.skipping_meals, 'null')), $11 order by page.start_date, page.id))
    from (
      select id, start_date
      from matched
      order by matched.start_date, matched.id
      limit $12 offset $13
    ) page
    join lateral (
      select k.booking_id as id, k.center_id, k.start_date, k.customer_id, k.role, k.status, k.end_date, k.session_ids, k.skipping_meals::json, k.first_name, k.last_name, k.email
      from booking_sessions k
      where k.center_id = $14 and k.booking_id = page.id
      union all
      select k.id, k.center_id, k.start_date, k.customer_id, k.role, k.status, k.end_date, k.session_ids, k.skipping_meals::json, c.first_name, c.last_name, c.email
      from (select * from bookings where center_id = $15 and id = page.id limit 1) k
      join lateral (select * from customers where center_id = k.center_id and id = k.customer_id limit 1) c on true
      limit 1
    ) b on true
    cross join lateral (select b.first_name, b.last_name, b.email) c
  ) as guests
-- $1 = "c07"
-- $2 = "2026-12-31T23:59:59.999Z"
-- $3 = "2016-01-01T00:00:00.000Z"
-- $4 = "c07"
-- $5 = "c07#"
-- $6 = "0721 234 567"
-- $7 = "0721 234 567"
-- $8 = "c07"
-- $9 = "\u001f"
-- $10 = "\u001f"
-- $11 = "\u001f"
-- $12 = 50
-- $13 = 0
-- $14 = "c07"
-- $15 = "c07"
