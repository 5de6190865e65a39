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
    select concat_ws($4, count(*), string_agg(concat_ws($5, b.id, b.status, b.role, b.session_ids, c.first_name, c.last_name, coalesce('=' || (b.program_id), ''), coalesce('=' || (coalesce(
(
  select jsonb_object_agg(t.id, coalesce(t.names ->> $6, t.name))
  from (select * from terms where center_id = $7 and term_set = 'program' limit $8) t
) ->> (b.program_id),
(select coalesce(t.names ->> $9, t.name) from terms t where t.center_id = b.center_id and t.term_set = 'program' and t.id = (b.program_id)))), ''), coalesce(case when jsonb_typeof(b.financial -> 'discountIds') = 'array' then b.financial -> 'discountIds' end, 'null'), case when jsonb_typeof(b.financial -> 'discountIds') = 'array' then (
select coalesce(jsonb_agg(coalesce(t.names ->> $10, t.name, listed.id) order by listed.position), '[]')
from jsonb_array_elements_text(case when jsonb_typeof(b.financial -> 'discountIds') = 'array' then b.financial -> 'discountIds' end) with ordinality as listed (id, position)
left join terms t on t.center_id = b.center_id and t.term_set = 'discount' and t.id = listed.id)
else 'null' end), $11 order by page.start_date, page.id))
    from (
      select id, start_date
      from (
  select
    b.booking_id as id, b.start_date, b.center_id, b.customer_id, b.role, b.status, b.end_date, b.session_ids, b.skipping_meals::json, b.first_name, b.last_name, b.email
  from booking_sessions b
  where b.center_id = $12
    and b.session_id = $13
    ) matched
      order by matched.start_date, matched.id
      limit $14 offset $15
    ) page
    join lateral (select * from bookings where center_id = $16 and id = page.id limit 1) b on true
    left join lateral (select * from customers where center_id = b.center_id and id = b.customer_id limit 1) c on true
  ) as guests
-- $1 = "c07"
-- $2 = "s10"
-- $3 = "c07"
-- $4 = "\u001f"
-- $5 = "\u001f"
-- $6 = "en"
-- $7 = "c07"
-- $8 = 50
-- $9 = "en"
-- $10 = "en"
-- $11 = "\u001f"
-- $12 = "c07"
-- $13 = "s10"
-- $14 = 50
-- $15 = 0
-- $16 = "c07"
