with matched as materialized (
  select
    b.booking_id as id, b.start_date, b.center_id, b.customer_id, b.role, b.status, b.end_date, b.session_ids, b.skipping_meals::json, b.first_name, b.last_name, b.email
  from booking_sessions b
  where b.center_id = $1
    and b.session_id = $2
    and b.customer_id in (with found as materialized (
    select c.id from customers c
    where c.center_id = $3 collate "POSIX"
      and name_index(c.center_id, c.first_name, c.last_name) @@ name_query($4, $5)) select id from found))
select
  (select count(*) from matched) as total,
  (select revision from center_revisions where center_id = $6) as revision,
  (
    select concat_ws($7, count(*), string_agg(concat_ws($8, b.id, b.status, b.role, b.session_ids, coalesce('=' || (c.first_name), ''), coalesce('=' || (c.last_name), ''), coalesce('=' || (c.email), ''), date_part('epoch', b.start_date), date_part('epoch', b.end_date), coalesce(b.skipping_meals, 'null')), $9 order by b.start_date, b.id))
    from (
      select *
      from matched
      order by matched.start_date, matched.id
      limit $10 offset $11
    ) b
    cross join lateral (select b.first_name, b.last_name, b.email) c
  ) as guests
-- $1 = "c07"
-- $2 = "s10"
-- $3 = "c07"
-- $4 = "c07"
-- $5 = "pop ana"
-- $6 = "c07"
-- $7 = "\u001f"
-- $8 = "\u001f"
-- $9 = "\u001f"
-- $10 = 50
-- $11 = 0
