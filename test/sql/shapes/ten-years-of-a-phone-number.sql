with matched as materialized (
select b.id, b.start_date
from bookings b
where b.center_id = $1
  and b.start_date <= $2 and b.end_date >= $3
  and b.start_date >= $4::timestamptz - interval '31 days'
  and b.customer_id in (with found as materialized (
    select c.id from customers c
    where c.center_id = $5 and right(phone_key(c.phone), 7) = right(phone_key($6), 7)
      and is_same_phone(phone_key(c.phone), phone_key($7))
    union all
    select c.id from customers c
    where c.center_id = $8 and right(phone_key(c.secondary_phone), 7) = right(phone_key($9), 7)
      and is_same_phone(phone_key(c.secondary_phone), phone_key($10))) select id from found)
union all
select b.id, b.start_date
from bookings b
where b.center_id = $11
  and b.end_date - b.start_date > interval '31 days'
  and b.start_date <= $12 and b.end_date >= $13
  and b.start_date < $14::timestamptz - interval '31 days'
  and b.customer_id in (with found as materialized (
    select c.id from customers c
    where c.center_id = $15 and right(phone_key(c.phone), 7) = right(phone_key($16), 7)
      and is_same_phone(phone_key(c.phone), phone_key($17))
    union all
    select c.id from customers c
    where c.center_id = $18 and right(phone_key(c.secondary_phone), 7) = right(phone_key($19), 7)
      and is_same_phone(phone_key(c.secondary_phone), phone_key($20))) select id from found))
select
  (select count(*) from matched) as total,
  (select revision from center_revisions where center_id = $21) as revision,
  (
    select concat_ws($22, count(*), string_agg(concat_ws($23, b.id, b.status, b.role, b.session_ids, c.first_name, c.last_name, coalesce('=' || (c.email), ''), date_part('epoch', b.start_date), date_part('epoch', b.end_date), coalesce((b.skipping_meals)::text, '')), $24 order by page.start_date, page.id))
    from (
      select id, start_date from matched
      order by matched.start_date, matched.id
      limit $25 offset $26
    ) page
    join lateral (select * from bookings where center_id = $27 and id = page.id limit 1) b on true
    left join lateral (select * from customers where center_id = b.center_id and id = b.customer_id limit 1) c on true
  ) as guests
-- $1 = "c07"
-- $2 = "2026-12-31T23:59:59.999Z"
-- $3 = "2016-01-01T00:00:00.000Z"
-- $4 = "2016-01-01T00:00:00.000Z"
-- $5 = "c07"
-- $6 = "0721 234 567"
-- $7 = "0721 234 567"
-- $8 = "c07"
-- $9 = "0721 234 567"
-- $10 = "0721 234 567"
-- $11 = "c07"
-- $12 = "2026-12-31T23:59:59.999Z"
-- $13 = "2016-01-01T00:00:00.000Z"
-- $14 = "2016-01-01T00:00:00.000Z"
-- $15 = "c07"
-- $16 = "0721 234 567"
-- $17 = "0721 234 567"
-- $18 = "c07"
-- $19 = "0721 234 567"
-- $20 = "0721 234 567"
-- $21 = "c07"
-- $22 = "\u001f"
-- $23 = "\u001f"
-- $24 = "\u001f"
-- $25 = 50
-- $26 = 0
-- $27 = "c07"
