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
customers_of_page as materialized (
    select * from customers
    where center_id >= any($7) and center_id <= any($8) and id = any(array(select b.customer_id from booked b)))
select
  (select count(*) from (
  select
    b.booking_id as id, b.start_date, b.center_id, b.customer_id, b.role, b.status, b.end_date, b.session_ids, b.skipping_meals::json, b.first_name, b.last_name, b.email
  from booking_sessions b
  where b.center_id = $9
    and b.session_id = $10
    ) matched) as total,
  (select revision from center_revisions where center_id = $11) as revision,
  (
    select concat_ws($12, count(*), string_agg(concat_ws($13, b.id, b.status, b.role, b.session_ids, coalesce('=' || (c.first_name), ''), coalesce('=' || (c.last_name), ''), coalesce('=' || (b.program_id), ''), coalesce('=' || (coalesce(
(
  select jsonb_object_agg(t.id, coalesce(t.names ->> $14, t.name))
  from (select * from terms where center_id = $15 and term_set = 'program' limit $16) t
) ->> (b.program_id),
(select coalesce(t.names ->> $17, t.name) from terms t where t.center_id = b.center_id and t.term_set = 'program' and t.id = (b.program_id)))), ''), coalesce(case when jsonb_typeof(b.financial -> 'discountIds') = 'array' then b.financial -> 'discountIds' end, 'null'), case when jsonb_typeof(b.financial -> 'discountIds') = 'array' then (
select coalesce(jsonb_agg(coalesce(t.names ->> $18, t.name, listed.id) order by listed.position), '[]')
from jsonb_array_elements_text(case when jsonb_typeof(b.financial -> 'discountIds') = 'array' then b.financial -> 'discountIds' end) with ordinality as listed (id, position)
left join terms t on t.center_id = b.center_id and t.term_set = 'discount' and t.id = listed.id)
else 'null' end), $19 order by b.start_date, b.id))
    from booked b
    full join customers_of_page c on c.id = b.customer_id
  ) as guests
-- $1 = ["c07"]
-- $2 = ["c07"]
-- $3 = "c07"
-- $4 = "s10"
-- $5 = 50
-- $6 = 0
-- $7 = ["c07"]
-- $8 = ["c07"]
-- $9 = "c07"
-- $10 = "s10"
-- $11 = "c07"
-- $12 = "\u001f"
-- $13 = "\u001f"
-- $14 = "en"
-- $15 = "c07"
-- $16 = 50
-- $17 = "en"
-- $18 = "en"
-- $19 = "\u001f"
