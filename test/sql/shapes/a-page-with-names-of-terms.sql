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
    select coalesce(json_agg(json_build_array(b.id, b.status, b.role, b.session_ids, c.first_name, c.last_name, b.program_id, (
select coalesce(t.names ->> $4, t.name) from terms t
where t.center_id = b.center_id and t.term_set = 'program' and t.id = (b.program_id)), case when jsonb_typeof(b.financial -> 'discountIds') = 'array' then b.financial -> 'discountIds' end, case when jsonb_typeof(b.financial -> 'discountIds') = 'array' then (
select coalesce(jsonb_agg(coalesce(t.names ->> $5, t.name, listed.id) order by listed.position), '[]')
from jsonb_array_elements_text(case when jsonb_typeof(b.financial -> 'discountIds') = 'array' then b.financial -> 'discountIds' end) with ordinality as listed (id, position)
left join terms t on t.center_id = b.center_id and t.term_set = 'discount' and t.id = listed.id) end) order by page.start_date, page.id), '[]')
    from (
      select id, start_date from matched
      order by start_date, id
      limit $6 offset $7
    ) page
    join lateral (select * from bookings where center_id = $8 and id = page.id limit 1) b on true
    left join lateral (select * from customers where center_id = b.center_id and id = b.customer_id limit 1) c on true
  ) as guests
-- $1 = "c07"
-- $2 = "s10"
-- $3 = "c07"
-- $4 = "en"
-- $5 = "en"
-- $6 = 50
-- $7 = 0
-- $8 = "c07"
